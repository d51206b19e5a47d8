import { setTimeout as sleep } from "node:timers/promises";
import type { Fleet, ProxiedInstance } from "./fleet.js";
import type { HistoryFile } from "./history-file.js";
import type { Random } from "./rig.js";

/** Faults of a data centre, one at a time. Each fault is over when its promise is. */
export type Fault = (fleet: Fleet<ProxiedInstance>, random: Random) => Promise<void>;

const kill = "kill -9 of an instance";
export const faultsOfInstances: Record<string, Fault> = {
  [kill]: async (fleet, random) => {
    const instance = random.pick(fleet.instances);
    await instance.kill();
    await instance.start();
  },
  "SIGSTOP of an instance": async (fleet, random) => {
    const { service } = random.pick(fleet.instances);
    service.kill("SIGSTOP");
    await sleep(random.between(300, 1_500));
    service.kill("SIGCONT");
  },
  "immediate restart of PostgreSQL": async ({ database }) => {
    await database.crash();
    await database.start();
  },
  "terminated backends": async ({ database }, random) => {
    await database.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'gatehouse%' and random() < $1",
      [random.pick([0.3, 1])],
    );
  },
  "cut connections": async (fleet, random) => {
    const { proxy } = random.pick(fleet.instances);
    for (let cuts = random.between(1, 4); cuts > 0; cuts -= 1) {
      proxy.cut();
      await sleep(random.between(0, 60));
    }
  },
  "delayed connections": async (fleet, random) => {
    const { proxy } = random.pick(fleet.instances);
    proxy.delay(random.between(20, 120));
    await sleep(random.between(300, 1_000));
    if (random.fraction() < 0.5) proxy.cut();
    proxy.delay(0);
  },
  "stalled connections": async (fleet, random) => {
    const { proxy } = random.pick(fleet.instances);
    proxy.stall();
    await sleep(random.between(200, 1_000));
    proxy.resume();
  },
};

export interface Striking {
  fleet: Fleet<ProxiedInstance>;
  random: Random;
  /** The number of instance kills that ends the faults. */
  kills: number;
  file: HistoryFile;
}

/**
 * Injects faults until enough instances were killed: every kind once, then at random, with more kills than
 * others and short pauses between them. Records when. Returns how often each happened.
 */
export async function strike(
  faults: Record<string, Fault>,
  { fleet, random, kills, file }: Striking,
): Promise<Record<string, number>> {
  const struck: Record<string, number> = Object.fromEntries(Object.keys(faults).map((name) => [name, 0]));
  const isEnough = (): boolean =>
    (struck[kill] as number) >= kills && Object.values(struck).every((times) => times > 0);
  const next = random.shuffled(Object.keys(faults));
  while (!isEnough()) {
    const name = next.pop() ?? random.pick([kill, kill, kill, ...Object.keys(faults)]);
    file.fault(name, "begin");
    await faults[name]?.(fleet, random);
    file.fault(name, "end");
    struck[name] = (struck[name] as number) + 1;
    await sleep(random.between(50, 400));
  }
  return struck;
}
