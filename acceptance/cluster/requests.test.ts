import { afterAll, beforeAll, expect, test } from "vitest";
import { startFleet, type Fleet, type Tenant } from "../rigs/fleet.js";
import { race } from "../rigs/racing.js";
import { amount, startRig } from "../rigs/rig.js";
import { distributedDatabase, runCommand } from "./cluster-database.js";

const rounds = amount(12, 100);
const batch = 500;

let fleet: Fleet;
let tenant: Tenant;
beforeAll(async () => {
  fleet = await startFleet(2, {}, () => distributedDatabase());
  tenant = await fleet.newTenant("Cluster");
});
afterAll(() => fleet.leave());

function send(pathname: string, body?: object) {
  const [one] = fleet.instances as [Fleet["instances"][0]];
  return one.service.send(pathname, { key: tenant.key, ...(body ? { body } : {}) });
}

function transactions(prefix: string, count: number): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, index) => ({
    transactionId: `${prefix}-${index}`,
    locationUuid: tenant.locationUuid,
    type: 1,
    transactionDate: "2026-04-01T14:30:00Z",
    cardType: "visa",
    account: { tpReferenceId: `${prefix}-A-${index}`, name: "Acme" },
    contact: { email: `${prefix}${index}@example.com` },
    vehicle: { licensePlate: `${prefix}${index}` },
    subscription: { tpReferenceId: `${prefix}-S-${index}` },
  }));
}

test("distribute has nothing more to do, and every table is distributed as declared", async () => {
  const { json } = await runCommand(fleet.database, ["distribute"]);
  expect(json.tables.filter((table: { changed: boolean }) => table.changed)).toEqual([]);
  expect(json).toMatchObject({ nodes: 2, advice: [] });
  expect((await runCommand(fleet.database, ["migrate"])).json).toEqual({ applied: [] });
});

test("a full batch is stored, read back unchanged, and skipped when it is sent again", async () => {
  const body = { transactions: transactions("full", batch) };
  const created = await send("/integrations/transactions", body);
  expect(created.json, created.text).toMatchObject({ status: 1, successCount: batch });
  const read = await send(`/integrations/imports/${created.json.referenceUuid}`);
  expect(read.json).toEqual(created.json);
  const again = await send("/integrations/transactions", body);
  expect(again.json, again.text).toMatchObject({ successCount: 0, skippedCount: batch });
});

test("a record that a worker rejects fails alone", async () => {
  await fleet.database.query(
    "alter table transactions add constraint rig_refuses check (card_type <> 'refused') not valid",
  );
  const body = { transactions: transactions("careful", 40) };
  Object.assign(body.transactions[17] as object, { cardType: "refused" });
  const answer = await send("/integrations/transactions", body);
  await fleet.database.query("alter table transactions drop constraint rig_refuses");
  expect(answer.status, answer.text).toBe(200);
  expect(answer.json).toMatchObject({ successCount: 39, failedCount: 1 });
  expect(answer.json.results[17]).toMatchObject({ status: 4, reasonCode: 99 });
});

test("a lead is stored, a duplicate request gets the same lead, and an erased person leaves nothing behind", async () => {
  const [{ service }] = fleet.instances as [Fleet["instances"][0]];
  const lead = { email: "jo@example.com", locationUuid: tenant.locationUuid, firstName: "Jo" };
  const headers = { "idempotency-key": "one" };
  const first = await service.send("/lead/submit", { key: tenant.key, body: lead, headers });
  expect(first.status, first.text).toBe(200);
  const second = await service.send("/lead/submit", { key: tenant.key, body: lead, headers });
  expect(second.json).toEqual(first.json);
  const person = ["--organization", tenant.organizationUuid, "--email", "jo@example.com"];
  expect((await fleet.gatehouse("person", "export", ...person)).json.leads).toHaveLength(1);
  expect((await fleet.gatehouse("person", "delete", ...person)).exitCode).toBe(0);
  expect(await fleet.database.query("select from leads where email is not null")).toEqual([]);
});

test("concurrent batches on two instances: one Created per key", async () => {
  const rig = startRig("cluster: races");
  const { requests, keys } = await race(fleet, tenant, { rounds, random: rig.random });
  expect((await fleet.gatehouse("verify")).json).toMatchObject({ ok: true });
  rig.held({ requests, "keys raced for": keys });
}, 600_000);
