import type { ImportRun } from "@gatehouse-parking/contract";
import { expect, test } from "vitest";
import fc from "../../../../../testing/properties.js";
import { isLong } from "../../../../../testing/seed.js";
import { useApp } from "../../../testing/harness.js";
import {
  createdSince,
  deletePast,
  idsOf,
  importBatch,
  undo,
  type Expected,
  type Kind,
  type Resource,
  type State,
} from "../../../testing/import-model.js";
import { importer, keptResults, type Importer } from "../../../testing/importer.js";
import { between, configure, deleteBefore } from "../../../testing/retention.js";
import { NothingToUndo, undoRun } from "../../features/undo/undo-run.js";

const gatehouse = useApp();

/** How many random histories are tried: always the same ones, or many new ones in the long form. */
const runs = Number(process.env["MODEL_RUNS"] ?? (isLong ? 20_000 : 150));
const timeoutMs = 600_000 + runs * 500;

// Small sets of values, so that records collide.
const oneOf = <T>(...values: T[]) => fc.constantFrom(...values);
const rarely = <T>(arbitrary: fc.Arbitrary<T>, usual: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 1, arbitrary }, { weight: 29, arbitrary: usual });
const sometimes = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

const badKeys = oneOf<unknown>(undefined, null, "", "  ", 7, {}, "x".repeat(129), "a\u0000", "\ud800");
const keys = rarely<unknown>(badKeys, oneOf("k1", "k2", "k3", "k4", "k5", "K1", "k1 ", "😀".repeat(128)));
const references = rarely<unknown>(badKeys, oneOf("r1", "r2", "r3", "R1"));
/** Uuids are known only after the service has answered; until then they are placeholders. */
const uuids = (kind: Kind) =>
  rarely<unknown>(
    oneOf<unknown>(
      null,
      7,
      "",
      "no uuid",
      { uuid: "unknown" },
      { uuid: kind === "account" ? "contact" : "account", number: 0 },
    ),
    fc.record({ uuid: fc.constant(kind), number: fc.nat(3), isUpper: fc.boolean() }),
  );
const locations = rarely<unknown>(
  oneOf<unknown>(undefined, null, "", 7, "garage", { location: "stranger" }, { uuid: "unknown" }),
  oneOf<unknown>({ location: "own" }, { location: "OWN" }),
);
const metadata = rarely<unknown>(
  oneOf<unknown>([], "text", 1),
  oneOf<unknown>(undefined, null, {}, { a: { b: [1] } }),
);

const account = fc.record({
  tpReferenceId: references,
  name: rarely<unknown>(oneOf<unknown>(undefined, null, " ", 7, "x".repeat(257)), fc.constant("Acme")),
  locationUuid: sometimes(locations),
  metadata,
});
const contact = fc.record({
  email: fc.oneof(
    {
      weight: 6,
      arbitrary: oneOf<unknown>("ann@example.com", " ANN@example.COM", "bob@example.com", undefined, null),
    },
    { weight: 1, arbitrary: oneOf<unknown>("", "no address", 7) },
  ),
  phoneNumber: fc.oneof(
    { weight: 6, arbitrary: oneOf<unknown>("+1 555 01", "1-555-01", "555 02 03", undefined, null) },
    { weight: 1, arbitrary: oneOf<unknown>("", "1234", 7) },
  ),
});
const vehicle = fc.record({
  licensePlate: rarely<unknown>(
    oneOf<unknown>(undefined, null, " ", "--", 7, "x".repeat(33)),
    oneOf("ABC 1", "abc-1", "XYZ", "x y z"),
  ),
});
const subscription = fc.record({
  tpReferenceId: references,
  accountUuid: sometimes(uuids("account")),
  accountTPReferenceId: sometimes(references),
  locationUuid: sometimes(locations),
});
const nested = <T>(arbitrary: fc.Arbitrary<T>) =>
  sometimes(rarely<unknown>(oneOf<unknown>(null, [], "text"), arbitrary));

const transaction = fc.record({
  transactionId: keys,
  locationUuid: rarely(locations, fc.constant<unknown>({ location: "own" })),
  type: rarely<unknown>(oneOf<unknown>(undefined, null, 0, 5, "1"), oneOf(1, 4)),
  transactionDate: rarely<unknown>(
    oneOf<unknown>(undefined, "", "2026-02-30T00:00:00Z"),
    fc.constant("2026-04-01T14:30:00.000Z"),
  ),
  amountTotal: rarely<unknown>(oneOf<unknown>(null, "1"), oneOf<unknown>(undefined, 12.5)),
  metadata,
  accountUuid: sometimes(uuids("account")),
  accountTPReferenceId: sometimes(references),
  account: nested(account),
  contactUuid: sometimes(uuids("contact")),
  contact: nested(contact),
  vehicleUuid: sometimes(uuids("vehicle")),
  vehicle: nested(vehicle),
  subscriptionUuid: sometimes(uuids("subscription")),
  subscriptionTPReferenceId: sometimes(references),
  subscription: nested(subscription),
});

const noRecord = oneOf<unknown>(null, 7, "text", []);
const batchOf = (resource: Resource, record: fc.Arbitrary<unknown>) =>
  fc.record({
    resource: fc.constant(resource),
    records: fc.array(fc.oneof({ weight: 20, arbitrary: record }, { weight: 1, arbitrary: noRecord }), {
      minLength: 1,
      maxLength: 12,
    }),
  });
const batch = fc.oneof(
  { weight: 3, arbitrary: batchOf("transactions", transaction) },
  { weight: 1, arbitrary: batchOf("accounts", account) },
  { weight: 1, arbitrary: batchOf("subscriptions", subscription) },
);
/**
 * A new batch, an earlier one again (whole, reversed, or its first half), an undo of an earlier run, or the
 * expiry of everything up to an earlier run.
 */
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ send: batch }) },
  { weight: 1, arbitrary: fc.record({ again: fc.nat(5), how: oneOf("whole", "reversed", "half") }) },
  { weight: 1, arbitrary: fc.record({ undo: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ keepAfter: fc.nat(5) }) },
);

const tables: Record<Kind, string> = {
  account: "accounts",
  contact: "contacts",
  vehicle: "vehicles",
  subscription: "subscriptions",
};
const kinds = Object.keys(tables) as Kind[];

/** Maps the uuids of the service to the numbers of the model. */
class Names {
  readonly #uuids = new Map<number, string>();
  readonly #ids = new Map<string, number>();

  learn(id: number, uuid: string): void {
    expect(this.#ids.get(uuid) ?? id, "one uuid belongs to one entity").toBe(id);
    expect(this.#uuids.get(id) ?? uuid, "one entity has one uuid").toBe(uuid);
    this.#uuids.set(id, uuid);
    this.#ids.set(uuid, id);
  }

  idOf(uuid: string): number | undefined {
    return this.#ids.get(uuid);
  }

  uuidOf(id: number): string | undefined {
    return this.#uuids.get(id);
  }
}

/** The record with real uuids instead of placeholders. */
function fillIn(value: unknown, partner: Importer, stranger: Importer, state: State, names: Names): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const fields = value as Record<string, unknown>;
  if ("location" in fields) {
    if (fields["location"] === "stranger") return stranger.locationUuid;
    return fields["location"] === "OWN" ? partner.locationUuid.toUpperCase() : partner.locationUuid;
  }
  if ("uuid" in fields) {
    if (fields["uuid"] === "unknown") return "00000000-0000-4000-8000-000000000000";
    const entities = state[fields["uuid"] as Kind];
    const entity = entities[(fields["number"] as number) % entities.length];
    const uuid = entity && names.uuidOf(entity.id);
    return fields["isUpper"] ? uuid?.toUpperCase() : uuid;
  }
  return Object.fromEntries(
    Object.entries(fields).map(([name, inner]) => [name, fillIn(inner, partner, stranger, state, names)]),
  );
}

/** The stored data equals the model: the same entities under the same names with the same links. */
async function compareStored(partner: Importer, state: State, names: Names): Promise<void> {
  for (const kind of kinds) {
    const rows = await partner.rows(tables[kind]);
    expect(rows, kind).toHaveLength(state[kind].length);
    for (const entity of state[kind]) {
      const row = rows.find(
        (found) =>
          (entity.reference === undefined || found["tp_reference_id"] === entity.reference) &&
          (entity.plate === undefined || found["plate_key"] === entity.plate) &&
          (kind !== "contact" ||
            (found["email_key"] === (entity.email ?? null) && found["phone_key"] === (entity.phone ?? null))),
      );
      expect(row, `${kind} ${JSON.stringify(entity)}`).toBeDefined();
      names.learn(entity.id, row?.["id"]);
    }
    if (kind === "subscription") {
      for (const entity of state.subscription) {
        const row = rows.find((found) => found["id"] === names.uuidOf(entity.id));
        expect(row?.["account_id"]).toBe(names.uuidOf(entity.accountId as number));
      }
    }
  }
  const rows = await partner.rows("transactions");
  expect(rows).toHaveLength(state.transactions.length);
  for (const { id, key, links } of state.transactions) {
    const row = rows.find((found) => found["transaction_id"] === key);
    names.learn(id, row?.["id"]);
    for (const kind of kinds) {
      const linked = links[kind];
      expect(row?.[`${kind}_id`], `${kind} of ${key}`).toBe(linked === null ? null : names.uuidOf(linked));
    }
  }
}

/** Returns how many records were removed. */
async function takeBack({ organizationId }: Importer, runId: string): Promise<number> {
  const { work } = gatehouse.database;
  const undoing = { organizationId, runId, version: undefined, undoDays: 1, actor: "test" };
  const counted = async () => {
    const { rows } = await work.query(
      "select count(*)::int as count from undo_records where run_id = $1 and is_removed",
      [runId],
    );
    return rows[0].count as number;
  };
  const before = await counted();
  try {
    await undoRun(work, undoing);
  } catch (error) {
    if (!(error instanceof NothingToUndo)) throw error;
  }
  return (await counted()) - before;
}

function compareResult(
  names: Names,
  expected: Expected,
  result: { status: number; uuid?: string; reasonCode?: number },
): void {
  expect(result.status).toBe(expected.status);
  if (expected.status === 4) expect(result.reasonCode).toBe(expected.reasonCode);
  else names.learn(expected.id, result.uuid as string);
}

/** @covers R57-R66, R105-R136, reading 1 */
test(
  `to 18: ${runs} random histories match the specification in every row and in the database`,
  { timeout: timeoutMs },
  async () => {
    const stranger = await importer(gatehouse);
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 8 }),
        fc.boolean(),
        async (steps, keepsKeys) => {
          const partner = await importer(gatehouse);
          if (keepsKeys) await configure(gatehouse, partner, { keepsDeletedKeys: true });
          const names = new Names();
          const state: State = {
            locations: new Set([partner.locationUuid]),
            account: [],
            contact: [],
            vehicle: [],
            subscription: [],
            transactions: [],
            nextId: 1,
            known: new Map(),
            idOf: (uuid) => names.idOf(uuid),
          };
          const sent: { resource: Resource; records: unknown[] }[] = [];
          const made: {
            run: ImportRun;
            /** The records that an undo of the run finds. */
            created: Set<number>;
            all: ReadonlySet<number>;
            endedBefore: number;
          }[] = [];
          // Records that were deleted without a trace.
          const forgotten = new Set<number | undefined>();
          const stillKnown = (run: ImportRun) => ({
            ...run,
            results: keptResults(run).filter(
              ({ status, uuid }) => status !== 1 || !forgotten.has(names.idOf(uuid as string)),
            ),
          });
          for (const each of steps) {
            if ("undo" in each) {
              const earlier = made[each.undo];
              if (!earlier) continue;
              const { referenceUuid } = earlier.run;
              expect(await takeBack(partner, referenceUuid)).toBe(undo(state, earlier.created));
              expect((await partner.get(referenceUuid)).json).toEqual(stillKnown(earlier.run));
              await compareStored(partner, state, names);
              continue;
            }
            if ("keepAfter" in each) {
              const last = made[each.keepAfter];
              if (!last) continue;
              const past = made.slice(0, each.keepAfter + 1);
              const pastIds = new Set(past.flatMap(({ all }) => [...all]));
              const transactions = new Set(state.transactions.map(({ id }) => id));
              const gone = deletePast(state, pastIds, keepsKeys);
              expect(await deleteBefore(gatehouse, partner, { moment: last.endedBefore, keepsKeys })).toBe(
                gone.size,
              );
              // An undo does not find entities that were nested in a transaction that is gone.
              for (const run of past)
                if ([...run.created].some((id) => gone.has(id) && transactions.has(id)))
                  for (const { id } of [...state.contact, ...state.vehicle]) run.created.delete(id);
              if (!keepsKeys) for (const id of gone) forgotten.add(id);
              expect((await partner.get(last.run.referenceUuid)).json).toEqual(stillKnown(last.run));
              await compareStored(partner, state, names);
              continue;
            }
            let next = "send" in each ? each.send : sent[each.again];
            if (!next) continue;
            if ("how" in each && each.how === "reversed")
              next = { ...next, records: next.records.toReversed() };
            if ("how" in each && each.how === "half")
              next = { ...next, records: next.records.slice(0, Math.ceil(next.records.length / 2)) };
            const records = next.records.map((record) => fillIn(record, partner, stranger, state, names));
            sent.push({ resource: next.resource, records });
            const before = idsOf(state);
            const expected = importBatch(state, next.resource, records);
            const run = await partner.import(next.resource, records);
            const all = createdSince(before, state);
            made.push({ run, created: new Set(all), all, endedBefore: await between() });
            for (const [index, result] of run.results.entries()) {
              compareResult(names, expected.results[index] as Expected, result as never);
            }
            expect(run.createdEntities).toEqual(expected.created);
            await compareStored(partner, state, names);
          }
        },
      ),
      { numRuns: runs, interruptAfterTimeLimit: timeoutMs - 10_000, markInterruptAsFailure: true },
    );
  },
);
