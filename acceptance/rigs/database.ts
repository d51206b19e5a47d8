import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { folderInMemory } from "../../testing/folder-in-memory.js";
import { copyMadeDatabase, databaseServers, endProcess, until } from "../running-service.js";
import { startKeeper } from "./keeper.js";

/** The database that the services under test know only by its address. */
export interface FleetDatabase {
  /** Its current address, or the last one. */
  readonly connectionString: string;
  // Rigs read rows without types; a wrong guess fails the rig, not the compiler.
  // oxlint-disable-next-line typescript/no-explicit-any
  query(statement: string, values?: unknown[]): Promise<any[]>;
  /** Stops it without a checkpoint, like `pg_ctl stop -m immediate`. */
  crash(): Promise<void>;
  start(): Promise<void>;
  /** Stops it and removes its files. */
  leave(): Promise<void>;
}

/** A separate PostgreSQL server for the rig. */
export interface RigDatabase extends FleetDatabase {
  /** The folder of the server's files. */
  readonly folder: string;
}

export async function startDatabase(): Promise<RigDatabase> {
  const parent = await folderInMemory("gatehouse-rig-");
  const folder = path.join(parent, "data");
  let keeper: ChildProcess | undefined;
  let connectionString = "";

  async function start(): Promise<void> {
    ({ keeper, connectionString } = await startKeeper(folder));
  }

  async function crash(): Promise<void> {
    // The keeper would restart the server at once.
    keeper?.kill("SIGKILL");
    keeper = undefined;
    for (const pid of await databaseServers(folder)) endProcess(pid, "SIGQUIT");
    await until(async () => (await databaseServers(folder)).length === 0);
  }

  await copyMadeDatabase(folder);
  await start();
  return {
    get connectionString() {
      return connectionString;
    },
    folder,
    async query(statement, values = []) {
      const client = new pg.Client({ connectionString });
      await client.connect();
      try {
        return (await client.query(statement, values)).rows;
      } finally {
        await client.end();
      }
    },
    crash,
    start,
    async leave() {
      if (keeper) {
        keeper.kill("SIGTERM");
        await once(keeper, "close");
      }
      await crash();
      await rm(parent, { recursive: true, force: true });
    },
  };
}
