import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { Agent } from "node:https";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished } from "vitest";
import type { Answer } from "../requests.js";
import { gatehouseCommand } from "../command.js";
import { newPlaceWithDatabase, startService, type Place, type RunningService } from "../running-service.js";

/** The data that one connection of raw-clients.js sends. */
export interface RawConnection {
  port: number;
  isPlain: boolean;
  head: string;
  repeated: string;
  times: number;
  /** Written in chunks with pauses. */
  isSlow?: boolean;
  /** Does not read the answers. */
  isDeaf?: boolean;
  /** Sends the repeated text only if the service answers 100 Continue. */
  asksFirst?: boolean;
  /** Waits until the service answers or closes the connection. */
  isHeld?: boolean;
}

export interface Reported {
  bytes: number;
  statuses: Record<string, number>;
  failed: number;
  /** By connection, of those that waited for 100 Continue: whether the service accepts the body. */
  taken: (boolean | null)[];
  /** The number of stalled connections that the service has closed. */
  held: number;
}

const productionFlags = (
  JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
    scripts: { start: string };
  }
).scripts.start.match(/--[a-z-]+=\d+/g) as string[];

/** The built product with the memory limit of `npm start`. */
export async function startProduction(
  variables: Record<string, string>,
): Promise<{ place: Place; service: RunningService }> {
  const place = await newPlaceWithDatabase({ LOG_LEVEL: "warn", ...variables });
  const command = [process.execPath, ...productionFlags, gatehouseCommand] as const;
  return { place, service: await startService(place, { command }) };
}

/** Opens the connections and runs `meanwhile` until they have sent what they can. */
export async function attack(
  { ca }: RunningService,
  connections: RawConnection[],
  meanwhile: () => Promise<void>,
): Promise<Reported> {
  const child = fork(fileURLToPath(new URL("raw-clients.js", import.meta.url)));
  onTestFinished(() => void child.kill());
  child.send({ ca, connections });
  const sent = new AbortController();
  child.once("message", () => sent.abort());
  do await meanwhile();
  while (!sent.signal.aborted);
  const reported = once(child, "message");
  child.send("end");
  return (await reported)[0] as Reported;
}

/** Memory of the process: current, and peak since the last reset. */
export function watchMemory({ pid }: RunningService): { beforeMegabytes: number; peakMegabytes(): number } {
  // Resets the peak that the kernel records.
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
  const read = (size: RegExp): number => {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Math.round(Number(size.exec(status)?.[1]) / 1024);
  };
  return { beforeMegabytes: read(/VmRSS:\s+(\d+)/), peakMegabytes: () => read(/VmHWM:\s+(\d+)/) };
}

/** Another client of the same service. Every request has to be answered with 200. */
export function bystander(service: RunningService): {
  tookMs: number[];
  ask(): Promise<void>;
  leave(): void;
} {
  const agent = new Agent({ keepAlive: true });
  const tookMs: number[] = [];
  let number = 0;
  const { key, locationUuid } = service.demo as NonNullable<RunningService["demo"]>;
  const transaction = () => ({
    transactionId: `BYSTANDER-${(number += 1)}`,
    locationUuid,
    type: 1,
    transactionDate: "2026-04-01T14:30:00Z",
  });
  const timed = async (asking: () => Promise<Answer>): Promise<void> => {
    const begunMs = performance.now();
    const answer = await asking();
    tookMs.push(performance.now() - begunMs);
    expect(answer.status, answer.text).toBe(200);
  };
  return {
    tookMs,
    ask: async () => {
      await timed(() => service.send("/livez", { agent }));
      const body = { transactions: [transaction()] };
      await timed(() => service.send("/integrations/transactions", { agent, key, body }));
    },
    leave: () => agent.destroy(),
  };
}
