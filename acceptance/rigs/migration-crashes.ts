import pg from "pg";
import { expect } from "vitest";
import { until } from "../running-service.js";
import type { Release } from "./releases.js";
import type { Random } from "./rig.js";
import type { Rollout } from "./rollout.js";

/** kill -9 of a migration during its work, while clients continue. */
export type Crash = (scene: {
  rollout: Rollout;
  release: Release;
  random: Random;
  /** Waits until clients got more answers. */
  more(): Promise<void>;
}) => Promise<void>;

/** While it waits for a lock that `holding` takes: it leaves nothing behind. */
export function crashWhileWaiting(holding: string): Crash {
  return async ({ rollout, release, more }) => {
    const tables = () => rollout.database.query("select tablename from pg_tables order by 1");
    const before = await tables();
    await withOpenTransaction(rollout, holding, async () => {
      const migration = rollout.startMigration(release);
      await until(() => migrationWaits(rollout));
      await more();
      await until(() => migrationWaits(rollout));
      migration.kill("SIGKILL");
      await migration.result;
    });
    // The server notices when it has its lock or has waited long enough.
    await until(async () => (await sessionsOfMigrations(rollout)) === 0);
    expect(await tables()).toEqual(before);
  };
}

/** While it builds an index: the server continues without a client, or its process is ended too. */
export const crashWhileIndexing: Crash = async ({ rollout, release, random, more }) => {
  await withOpenTransaction(
    rollout,
    "set transaction isolation level repeatable read; select 1",
    async () => {
      const migration = rollout.startMigration(release);
      const building = "from pg_stat_progress_create_index where phase = 'waiting for old snapshots'";
      await until(async () => (await rollout.database.query(`select ${building}`)).length === 1);
      await more();
      migration.kill("SIGKILL");
      await migration.result;
      if (random.fraction() < 0.5)
        await rollout.database.query(`select pg_terminate_backend(pid) ${building}`);
    },
  );
};

async function withOpenTransaction(
  rollout: Rollout,
  statements: string,
  work: () => Promise<void>,
): Promise<void> {
  const client = new pg.Client({ connectionString: rollout.database.connectionString });
  await client.connect();
  try {
    await client.query(`begin; ${statements}`);
    await work();
    await client.query("rollback");
  } finally {
    await client.end();
  }
}

async function migrationWaits(rollout: Rollout): Promise<boolean> {
  const waiting = await rollout.database.query(
    "select from pg_stat_activity where application_name = 'gatehouse migrate' and wait_event_type = 'Lock'",
  );
  return waiting.length > 0;
}

async function sessionsOfMigrations(rollout: Rollout): Promise<number> {
  const sessions = await rollout.database.query(
    "select from pg_stat_activity where application_name = 'gatehouse migrate'",
  );
  return sessions.length;
}
