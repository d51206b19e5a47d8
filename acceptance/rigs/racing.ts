import { expect } from "vitest";
import type { Fleet, Tenant } from "./fleet.js";
import type { Run } from "./history.js";
import type { Random } from "./rig.js";

const recordsInBatch = 12;

interface RaceRun extends Run {
  createdEntities: Record<string, number>;
}

/** One account, contact, vehicle and subscription per three records, so that they race for these too. */
export function transactionOf(tenant: Tenant, round: number, number: number): Record<string, unknown> {
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

export async function importAll(
  fleet: Fleet,
  tenant: Tenant,
  batches: Record<string, unknown>[][],
): Promise<RaceRun[]> {
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

/** Identical, reversed and overlapping batches at the same moment on two instances. Returns how much was sent. */
export async function race(
  fleet: Fleet,
  tenant: Tenant,
  { rounds, random }: { rounds: number; random: Random },
): Promise<{ requests: number; keys: number }> {
  let requests = 0;
  for (let round = 0; round < rounds; round += 1) {
    const batch = Array.from({ length: recordsInBatch }, (_, number) => transactionOf(tenant, round, number));
    const half = recordsInBatch / 2;
    const batches = random.shuffled([
      batch,
      batch,
      batch.toReversed(),
      batch.toReversed(),
      batch.slice(0, half + 2),
      batch.slice(half - 2),
      random.shuffled(batch),
    ]);
    const runs = await importAll(fleet, tenant, batches);
    requests += runs.length;
    expectOneCreation(runs);
    const created = runs.map((run) => run.createdEntities);
    for (const kind of ["accounts", "contacts", "vehicles", "subscriptions"])
      expect(
        created.reduce((sum, counts) => sum + (counts[kind] ?? 0), 0),
        kind,
      ).toBe(recordsInBatch / 3);
  }
  return { requests, keys: rounds * recordsInBatch };
}

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
