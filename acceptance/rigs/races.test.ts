import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startFleet, type Fleet, type Tenant } from "./fleet.js";
import type { Run } from "./history.js";
import { amount, isLong, startRig } from "./rig.js";

const rounds = amount(12, 400);
const recordsInBatch = 12;

let fleet: Fleet;
let tenant: Tenant;
beforeAll(async () => {
  fleet = await startFleet(2);
  tenant = await fleet.newTenant("Races");
});
afterAll(() => fleet.leave());

interface RaceRun extends Run {
  createdEntities: Record<string, number>;
}

/** One account, contact, vehicle and subscription for every three records, so that they race for these too. */
function transactionOf(round: number, number: number): Record<string, unknown> {
  const name = `${round}-${Math.floor(number / 3)}`;
  return {
    transactionId: `T-${round}-${number}`,
    locationUuid: tenant.locationUuid,
    type: 1,
    transactionDate: "2026-04-01T14:30:00Z",
    account: { tpReferenceId: `A-${name}`, name: "Acme" },
    contact: {
      email: `${name}@example.com`,
      phoneNumber: `+1-${55_500_000 + round * 100 + Math.floor(number / 3)}`,
    },
    vehicle: { licensePlate: `P-${name}` },
    subscription: { tpReferenceId: `S-${name}` },
  };
}

async function importAll(batches: Record<string, unknown>[][]): Promise<RaceRun[]> {
  const answers = await Promise.all(
    batches.map((transactions, index) =>
      (fleet.instances[index % 2] as Fleet["instances"][0]).service.send("/integrations/transactions", {
        key: tenant.key,
        body: { transactions },
      }),
    ),
  );
  for (const answer of answers) expect(answer.status, answer.text).toBe(200);
  return answers.map((answer) => answer.json);
}

test(
  "R67 identical, reversed and overlapping batches at the same moment on two instances: one Created a key",
  async () => {
    const rig = startRig("races");
    let requests = 0;
    for (let round = 0; round < rounds; round += 1) {
      const batch = Array.from({ length: recordsInBatch }, (_, number) => transactionOf(round, number));
      const half = recordsInBatch / 2;
      const batches = rig.random.shuffled([
        batch,
        batch,
        batch.toReversed(),
        batch.toReversed(),
        batch.slice(0, half + 2),
        batch.slice(half - 2),
        rig.random.shuffled(batch),
      ]);
      const runs = await importAll(batches);
      requests += runs.length;
      expectOneCreation(runs);
      const created = runs.map((run) => run.createdEntities);
      for (const kind of ["accounts", "contacts", "vehicles", "subscriptions"])
        expect(
          created.reduce((sum, counts) => sum + (counts[kind] ?? 0), 0),
          kind,
        ).toBe(recordsInBatch / 3);
    }
    expect((await fleet.gatehouse("verify")).json).toMatchObject({ ok: true });
    rig.held({
      "requests at the same moment": requests / rounds,
      requests,
      "keys raced for": rounds * recordsInBatch,
    });
  },
  isLong ? 600_000 : 90_000,
);

function expectOneCreation(runs: RaceRun[]): void {
  const told = new Map<string, { created: number; uuids: Set<string> }>();
  for (const { reference, status, uuid } of runs.flatMap((run) => run.results)) {
    expect([1, 3]).toContain(status);
    const one = told.get(reference) ?? { created: 0, uuids: new Set() };
    if (status === 1) one.created += 1;
    one.uuids.add(uuid as string);
    told.set(reference, one);
  }
  expect(told.size).toBe(recordsInBatch);
  for (const [reference, { created, uuids }] of told) {
    expect(created, reference).toBe(1);
    expect(uuids.size, reference).toBe(1);
  }
}

test("a writer that does not know the lock cannot store a key twice either: the indexes refuse it", async () => {
  const [row] = await importAll([[transactionOf(rounds, 0)]]);
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
