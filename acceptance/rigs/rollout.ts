import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { startCommand, type CommandResult } from "../command.js";
import { send, type Answer, type Sending } from "../requests.js";
import {
  leave,
  placeAt,
  startService,
  stop,
  until,
  type Place,
  type RunningService,
} from "../running-service.js";
import { startDatabase, type RigDatabase } from "./database.js";
import { liftedLimits } from "./fleet.js";
import { startProxy } from "./proxy.js";
import type { Release } from "./releases.js";

/** Instances of different releases on one database, behind a balancer that uses some of them. */
export interface Rollout {
  database: RigDatabase;
  /** The instances behind the balancer. */
  instances: RunningService[];
  place(release: Release): Place;
  command(release: Release, ...commandArguments: string[]): Promise<CommandResult>;
  startMigration(release: Release): ReturnType<typeof startCommand>;
  /** Starts another one without sending it requests. */
  start(release: Release): Promise<RunningService>;
  /**
   * Replaces instances as an orchestrator does: the new one becomes ready and takes over, and the old one
   * stops cleanly; `count` times.
   */
  replace(release: Release, howMany: number): Promise<void>;
  /** kill -9, and the same release again. */
  crash(release: Release): Promise<void>;
  /** Through the balancer, on a new connection. */
  ask(pathname: string, sending: Sending): Promise<Answer>;
  readiness(service: RunningService): Promise<Answer>;
  leave(): Promise<void>;
}

export async function startRollout(
  release: Release,
  size: number,
  further: Record<string, string> = {},
): Promise<Rollout> {
  const folder = await mkdtemp(path.join(tmpdir(), "gatehouse-rig-"));
  const database = await startDatabase();
  const variables = {
    GATEHOUSE_DEMO: "off",
    GATEHOUSE_LIMITS: liftedLimits,
    LOG_LEVEL: "warn",
    DATABASE_URL: database.connectionString,
    ...further,
  };
  const started: RunningService[] = [];
  const instances: RunningService[] = [];
  let turn = 0;
  const balancer = await startProxy(() => {
    turn += 1;
    return Number(new URL((instances[turn % instances.length] as RunningService).apiAddress).port);
  });
  const place: Rollout["place"] = ({ program }) => placeAt(folder, variables, program);
  const readiness: Rollout["readiness"] = ({ plainAddress }) => send(`${plainAddress}/readyz`);

  async function start(one: Release): Promise<RunningService> {
    const service = await startService(place(one));
    started.push(service);
    await until(async () => (await readiness(service)).status === 200);
    return service;
  }

  const rollout: Rollout = {
    database,
    instances,
    place,
    command: (one, ...commandArguments) => place(one).gatehouse([...commandArguments, "--json"]),
    startMigration: (one) =>
      startCommand(["migrate", "--json"], place(one).variables, { program: one.program }),
    start,
    async replace(one, howMany) {
      for (const old of instances.slice(0, howMany)) {
        instances.splice(instances.indexOf(old), 1, await start(one));
        old.kill("SIGTERM");
        const { exitCode } = await old.ended;
        if (exitCode !== 0) throw new Error(`A replaced instance ended with ${exitCode}`);
      }
    },
    async crash(one) {
      const [victim] = instances as [RunningService];
      victim.kill("SIGKILL");
      await victim.ended;
      instances[0] = await start(one);
    },
    ask: (pathname, sending) =>
      send(`https://127.0.0.1:${balancer.port}${pathname}`, {
        ca: (started[0] as RunningService).ca,
        agent: false,
        ...sending,
      }),
    readiness,
    async leave() {
      await Promise.all(started.map(stop));
      await balancer.close();
      await leave(place(release));
      await database.leave();
    },
  };
  try {
    while (instances.length < size) instances.push(await start(release));
  } catch (error) {
    await rollout.leave();
    throw error;
  }
  return rollout;
}
