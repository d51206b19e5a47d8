import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished } from "vitest";
import { untilReady, type Fleet, type Tenant } from "./fleet.js";
import { expectSecondOpinion } from "./history-checker.js";
import { HistoryFile } from "./history-file.js";
import {
  acknowledgedKeys,
  contradictions,
  type Operation,
  type RemovedRecord,
  type Resource,
  type Run,
  type Undo,
} from "./history.js";
import type { Random, Rig } from "./rig.js";
import { signInUndoer } from "./undoer.js";

/** The clients that import and undo, their target, and the faults meanwhile. */
export interface Recording {
  /** Names the file of the history. */
  name: string;
  fleet: Fleet;
  tenant: Tenant;
  rig: Rig;
  strike: (file: HistoryFile) => Promise<Record<string, number>>;
}

/** Counts of the events. */
export interface Recorded {
  struck: Record<string, number>;
  answered: number;
  ofUnknownEnd: number;
  acknowledged: number;
  undoneRuns: number;
}

interface Scene {
  fleet: Fleet;
  tenant: Tenant;
  random: Random;
}

const clients = 4;
const answerTimeoutMs = 60_000;

/**
 * Clients import and an admin undoes runs until `strike` ends. Then the answers, the stored data, the console
 * and a replay are compared, by two checkers that share no code.
 */
export async function recordHistory({ name, fleet, tenant, rig, strike }: Recording): Promise<Recorded> {
  const scene: Scene = { fleet, tenant, random: rig.random };
  const file = new HistoryFile(name, rig.seed);
  onTestFinished(() => file.close());
  const operations: Operation[] = [];
  const over = new AbortController();
  let lastKey = 0;
  const newKey = (): number => (lastKey += 1);
  const undoer = await signInUndoer(fleet, tenant, { random: rig.random, operations, file });
  const { undos } = undoer;
  const working = Promise.all([
    ...Array.from({ length: clients }, async () => {
      while (!over.signal.aborted) await importOnce(scene, operations, file, newKey);
    }),
    (async () => {
      while (!over.signal.aborted) await undoer.undoOnce();
    })(),
  ]);
  // Errors of a client are reported below; until then the others continue.
  working.catch(() => undefined);
  const struck = await strike(file);
  over.abort();
  await working;
  await untilReady(fleet);

  expect(await findContradictions(scene, operations, undos, file)).toEqual([]);
  await expectHistoryOfRuns(scene, operations);
  await expectShown(scene, operations);
  const acknowledged = acknowledgedKeys("transactions", operations).length;
  await replay(scene, operations, file, lastKey);
  const found = await findContradictions(scene, operations, undos, file);
  file.verdict(found);
  expect(found).toEqual([]);
  await expectSecondOpinion(file);
  expect((await fleet.gatehouse("verify")).json).toMatchObject({ ok: true });

  const ended = (end: Operation["end"]) => operations.filter((operation) => operation.end === end).length;
  return {
    struck,
    answered: ended("ok"),
    ofUnknownEnd: ended("info"),
    acknowledged,
    undoneRuns: new Set(undos.filter(({ end }) => end === "ok").map(({ run }) => run)).size,
  };
}

/** One request of one client: a few new keys and a few that others send too, in any order, to any instance. */
async function importOnce(
  { fleet, tenant, random }: Scene,
  operations: Operation[],
  file: HistoryFile,
  newKey: () => number,
): Promise<void> {
  const resource: Resource = random.fraction() < 0.8 ? "transactions" : "accounts";
  const newest = newKey();
  const known = Array.from({ length: random.between(2, 8) }, () =>
    random.between(Math.max(1, newest - 40), newest),
  );
  const fresh = Array.from({ length: random.between(0, 3) }, newKey);
  const numbers = random.shuffled([...new Set([newest, ...known, ...fresh])]);
  const operation: Operation = { resource, keys: numbers.map((one) => keyOf(resource, one)), end: "pending" };
  operations.push(operation);
  file.invoked(operation, accountsNamedBy(operation));
  const { service } = random.pick(fleet.instances);
  let status: number | undefined;
  try {
    const answer = await service.send(`/integrations/${resource}`, {
      key: tenant.key,
      body: { [resource]: numbers.map((one) => recordOf(tenant, resource, one)) },
      timeout: answerTimeoutMs,
    });
    ({ status } = answer);
    operation.end = status === 200 ? "ok" : "info";
    if (status !== 503) operation.run = answer.json;
    expectExplained(status, answer.text, operation.run);
  } catch (error) {
    if (!(error instanceof Error) || error.name === "AssertionError") throw error;
    operation.end = "info";
  } finally {
    file.ended(operation, status);
  }
  // An instance that is down refuses connections at once, so retry slowly.
  if (operation.end === "info") await sleep(50);
}

/** Records depend only on their number, so all clients send the same ones. They share their relations. */
function recordOf(tenant: Tenant, resource: Resource, number: number): Record<string, unknown> {
  const account = { tpReferenceId: keyOf("accounts", Math.ceil(number / 2)), name: "Acme" };
  if (resource === "accounts") return { ...account, tpReferenceId: keyOf("accounts", number) };
  return {
    transactionId: keyOf("transactions", number),
    locationUuid: tenant.locationUuid,
    type: 1,
    transactionDate: "2026-04-01T14:30:00Z",
    account,
    contact: { email: `c${number % 50}@example.com` },
    vehicle: { licensePlate: `P${number % 70}` },
    subscription: { tpReferenceId: `S-${number % 30}` },
  };
}

function keyOf(resource: Resource, number: number): string {
  return `${resource === "transactions" ? "T" : "A"}-${number}`;
}

/**
 * An answer is complete, or says that nothing was stored: 500 as a run in which every record failed, 503 as
 * an error.
 */
function expectExplained(status: number, text: string, run: Run | undefined): void {
  expect([200, 500, 503], text).toContain(status);
  if (status === 503) return;
  expect(run?.referenceUuid, text).toEqual(expect.any(String));
  const allowed = status === 200 ? [1, 3] : [4];
  for (const { status: outcome } of run?.results ?? []) expect(allowed, text).toContain(outcome);
}

/** Transactions also create the accounts that they name. */
function accountsNamedBy({ resource, keys }: Operation): string[] {
  if (resource === "accounts") return [];
  const named = keys.map((key) => keyOf("accounts", Math.ceil(Number(key.slice(2)) / 2)));
  return [...new Set(named)];
}

async function readRemoved({ fleet, tenant }: Scene, resource: Resource): Promise<RemovedRecord[]> {
  return fleet.database.query(
    "select reference as key, record_id as uuid, run_id as run from undo_records where organization_id = $1 and is_removed and kind = $2",
    [tenant.organizationUuid, resource],
  );
}

async function findContradictions(
  scene: Scene,
  operations: Operation[],
  undos: Undo[],
  file: HistoryFile,
): Promise<string[]> {
  const { query } = scene.fleet.database;
  const own = [scene.tenant.organizationUuid];
  const transactions = await query(
    "select transaction_id as key, id as uuid from transactions where organization_id = $1",
    own,
  );
  const accounts = await query(
    "select tp_reference_id as key, id as uuid from accounts where organization_id = $1",
    own,
  );
  const runs = await query(
    `
    select id as "referenceUuid", case resource when 1 then 'transactions' else 'accounts' end as resource,
      success_count as created, skipped_count as skipped, failed_count as failed, created_accounts as "createdAccounts"
    from import_runs where organization_id = $1`,
    own,
  );
  const removed = {
    transactions: await readRemoved(scene, "transactions"),
    accounts: await readRemoved(scene, "accounts"),
  };
  file.reading({ transactions, accounts }, removed, runs);
  const named: Operation[] = operations.map((operation) => ({
    resource: "accounts",
    keys: accountsNamedBy(operation),
    end: "info",
  }));
  return [
    ...contradictions("transactions", operations, transactions, {
      undos,
      removed: removed.transactions,
    }),
    ...contradictions("accounts", [...operations, ...named], accounts, { undos, removed: removed.accounts }),
  ];
}

/** Every answered run is in the history unchanged. A run that failed as a whole is not in it as a success. */
async function expectHistoryOfRuns({ fleet, tenant }: Scene, operations: Operation[]): Promise<void> {
  const [one] = fleet.instances;
  for (const { end, run } of operations) {
    if (!run) continue;
    const kept = await one?.service.send(`/integrations/imports/${run.referenceUuid}`, { key: tenant.key });
    if (end === "ok") expect(kept?.json).toEqual(run);
    else expect([200, 404]).toContain(kept?.status);
  }
}

async function expectShown(scene: Scene, operations: Operation[]): Promise<void> {
  const { fleet, tenant, random } = scene;
  const gone = new Set((await readRemoved(scene, "transactions")).map((record) => record.uuid));
  const results = operations
    .flatMap(({ run, resource }) => (resource === "transactions" && run ? run.results : []))
    .filter(({ uuid }) => uuid !== undefined && !gone.has(uuid));
  for (const { reference, uuid } of random.shuffled(results).slice(0, 3)) {
    const organization = ["--organization", tenant.organizationUuid];
    const shown = await fleet.gatehouse("record", "show", "transaction", reference, ...organization);
    expect(shown.json.uuid).toBe(uuid);
  }
}

/** Sends everything once more, without faults. Afterwards all of it is stored. */
async function replay(
  { fleet, tenant }: Scene,
  operations: Operation[],
  file: HistoryFile,
  lastKey: number,
): Promise<void> {
  const sent = new Set(operations.flatMap(({ keys }) => keys));
  const numbers = Array.from({ length: lastKey }, (_, index) => index + 1);
  const all = numbers.filter((number) => sent.has(keyOf("transactions", number)));
  for (let begin = 0; begin < all.length; begin += 500) {
    const part = all.slice(begin, begin + 500);
    const keys = part.map((number) => keyOf("transactions", number));
    const operation: Operation = { resource: "transactions", keys, end: "ok" };
    file.invoked(operation, accountsNamedBy(operation));
    const answer = await fleet.instances[0]?.service.send("/integrations/transactions", {
      key: tenant.key,
      body: { transactions: part.map((number) => recordOf(tenant, "transactions", number)) },
    });
    expect(answer?.status).toBe(200);
    operation.run = answer?.json as Run;
    file.ended(operation, answer?.status);
    expectExplained(200, "replay", operation.run);
    operations.push(operation);
  }
}
