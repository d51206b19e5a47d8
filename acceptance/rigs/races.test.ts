import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startFleet, type Fleet, type Tenant } from "./fleet.js";
import { importAll, race, transactionOf } from "./racing.js";
import { amount, startRig } from "./rig.js";

const rounds = amount(12, 400);

let fleet: Fleet;
let tenant: Tenant;
beforeAll(async () => {
  fleet = await startFleet(2);
  tenant = await fleet.newTenant("Races");
});
afterAll(() => fleet.leave());

/** @covers R67 */
test("identical, reversed and overlapping batches at the same moment on two instances: one Created per key", async () => {
  const rig = startRig("races");
  const { requests, keys } = await race(fleet, tenant, { rounds, random: rig.random });
  expect((await fleet.gatehouse("verify")).json).toMatchObject({ ok: true });
  rig.held({ "requests at the same moment": requests / rounds, requests, "keys raced for": keys });
});

test("a writer that does not use the lock cannot store a key twice, because the indexes reject it", async () => {
  const [row] = await importAll(fleet, tenant, [[transactionOf(tenant, rounds, 0)]]);
  const stranger = new pg.Client({ connectionString: fleet.database.connectionString });
  await stranger.connect();
  try {
    for (const [table, key] of [
      ["transactions", "transaction_id"],
      ["accounts", "tp_reference_id"],
      ["subscriptions", "tp_reference_id"],
      ["contacts", "email_key"],
      ["contacts", "phone_key"],
      ["vehicles", "plate_key"],
    ]) {
      const another =
        key === "email_key" ? "phone_key = null" : key === "phone_key" ? "email_key = null" : "";
      await stranger.query("begin");
      await stranger.query(
        `create temporary table copied on commit drop as
         select * from ${table} where organization_id = $1 and import_run_id = $2 limit 1`,
        [tenant.organizationUuid, row?.referenceUuid],
      );
      await stranger.query(`update copied set id = gen_random_uuid()${another ? `, ${another}` : ""}`);
      await expect(
        stranger.query(`insert into ${table} select * from copied`),
        `${table}.${key}`,
      ).rejects.toMatchObject({ code: "23505" });
      await stranger.query("rollback");
    }
  } finally {
    await stranger.end();
  }
});
