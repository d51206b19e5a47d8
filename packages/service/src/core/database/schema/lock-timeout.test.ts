import { expect, test } from "vitest";
import { useMigrationSite } from "../../../../testing/migrations.js";
import { migrate } from "./migrate.js";

const site = useMigrationSite();
/** A few attempts instead of the two minutes of a real migration. */
const briefly = { lockWaitMs: 50, totalMs: 1_000 };

const addsColumn = "-- phase: expand\ncreate table languages ();\nalter table leads add column language text";

/** An open transaction that has read the leads. It blocks only changes of the table. */
async function lockLeads(): Promise<() => Promise<void>> {
  const holder = await site.pool.connect();
  await holder.query("begin; set application_name = 'a long report'; select from leads");
  let isHeld = true;
  const letGo = async (): Promise<void> => {
    if (isHeld) await holder.query("commit").finally(() => holder.release());
    isHeld = false;
  };
  site.cleanUp(letGo);
  return letGo;
}

const waitsForLock = async () =>
  (
    await site.pool.query(
      "select from pg_stat_activity where datname = current_database() and application_name = 'gatehouse migrate' and wait_event_type = 'Lock'",
    )
  ).rowCount;

const insertLead = (number: number) =>
  site.pool.query(
    `insert into leads (organization_id, id, location_id, email, email_key, api_key_id, address, created_at)
     values (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), $1, $1, gen_random_uuid(), '::1', now())`,
    [`${number}@example.com`],
  );

test("a migration that waits for a long transaction does not block writes, and is applied afterwards", async () => {
  await migrate(site.connectionString);
  const next = await site.writeNext(addsColumn);
  const letGo = await lockLeads();
  const reasons: string[] = [];
  const migrating = migrate(site.connectionString, {
    folders: [site.folder],
    lockTimeout: { lockWaitMs: 500, totalMs: 60_000, onWait: (reason) => void reasons.push(reason) },
  });
  // It enters and leaves the lock queue twice, which shows that it retries.
  for (let times = 0; times < 2; times += 1) {
    await expect.poll(waitsForLock, { interval: 10 }).toBe(1);
    await insertLead(times);
    await expect.poll(waitsForLock, { interval: 10 }).toBe(0);
  }
  expect(await site.tables()).not.toContain("languages");
  await letGo();
  expect((await migrating).applied).toEqual(next);
  expect(reasons).toEqual([expect.stringMatching(/^other transactions have held locks that it needs \(/)]);
  const { rows } = await site.pool.query("select email, language from leads order by 1");
  expect(rows).toEqual([
    { email: "0@example.com", language: null },
    { email: "1@example.com", language: null },
  ]);
});

test("a migration that never gets its locks gives up, names the blocker, and changes nothing", async () => {
  await migrate(site.connectionString);
  const [next = ""] = await site.writeNext(addsColumn);
  const letGo = await lockLeads();
  const givingUp = migrate(site.connectionString, { folders: [site.folder], lockTimeout: briefly });
  await expect(givingUp).rejects.toThrow(
    `Migration ${next} was not applied: for 1 seconds, other transactions have held locks that it needs (`,
  );
  await expect(givingUp).rejects.toThrow(
    /\(the oldest is open for \d+ s: process \d+, "a long report"\)\. Retry when it has finished\.$/,
  );
  expect(await site.tables()).not.toContain("languages");
  await letGo();
  expect((await migrate(site.connectionString, { folders: [site.folder] })).applied).toEqual([next]);
});

test("a migration waits for another one without a database lock, and for a limited time", async () => {
  await migrate(site.connectionString);
  const [next = ""] = await site.writeNext(addsColumn);
  const other = await site.pool.connect();
  await other.query("begin; select pg_advisory_xact_lock(7142260304)");
  site.cleanUp(() => other.query("rollback").finally(() => other.release()));
  await expect(
    migrate(site.connectionString, { folders: [site.folder], lockTimeout: briefly }),
  ).rejects.toThrow(
    `Migration ${next} was not applied: for 1 seconds, another process is changing the schema of this database.`,
  );
});
