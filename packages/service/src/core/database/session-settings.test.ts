import pg from "pg";
import { expect, test } from "vitest";
import { useDatabase } from "../../../testing/harness.js";
import { useMigrationSite } from "../../../testing/migrations.js";
import { startStrictPooler } from "../../../testing/strict-pooler.js";
import { openDatabase, poolNames, type DatabaseOptions } from "./pool.js";
import { migrate } from "./schema/migrate.js";
import { transaction } from "./transaction.js";

const used = useDatabase();
const site = useMigrationSite();

const read = `select current_setting('DateStyle') as dates, current_setting('TimeZone') as zone,
                     current_setting('transaction_isolation') as isolation`;
// The order of day and month is not set: no statement uses that format.
const expected = { dates: expect.stringMatching(/^ISO, /), zone: "UTC", isolation: "read committed" };

async function readSettings(options: Partial<DatabaseOptions>) {
  const database = openDatabase({ connectionString: used.connectionString, workConnections: 1, ...options });
  try {
    return await Promise.all(
      poolNames.map((name) =>
        transaction(database[name], async (client) => {
          const { rows } = await client.query(`${read}, current_setting('work_mem') as memory`);
          return rows[0];
        }),
      ),
    );
  } finally {
    await database.close();
  }
}

test("the test server's defaults differ from the settings that the service needs", async () => {
  const client = new pg.Client(used.connectionString);
  await client.connect();
  const { rows } = await client.query(read);
  await client.end();
  expect(rows).toEqual([{ dates: "SQL, DMY", zone: "Asia/Kolkata", isolation: "serializable" }]);
});

test("sessions have the required settings, whatever server, database or connection string say", async () => {
  const address = new URL(used.connectionString);
  address.searchParams.set("options", "-c work_mem=77MB -c timezone=Europe/Berlin");
  const settings = await readSettings({ connectionString: address.href });
  expect(settings).toEqual(poolNames.map(() => ({ ...expected, memory: "77MB" })));
});

test("behind a pooler, transactions have the required settings", async () => {
  const pooler = await startStrictPooler(used.connectionString);
  try {
    const { connectionString } = pooler;
    const settings = await readSettings({ connectionString, isBehindPooler: true });
    expect(settings).toEqual(poolNames.map(() => expect.objectContaining(expected)));
  } finally {
    await pooler.close();
  }
});

test("a migration ignores the role's statement timeout", async () => {
  await migrate(site.connectionString);
  await site.pool.query(
    `do $$ begin execute format('alter database %I set statement_timeout = 20', current_database()); end $$`,
  );
  const slowly = await site.writeNext(
    "-- phase: expand\nselect pg_sleep(0.1);\ncreate table languages (name text)",
  );
  expect((await migrate(site.connectionString, { folders: [site.folder] })).applied).toEqual(slowly);
});
