import type { CreatedEntities, ImportRun } from "@gatehouse-parking/contract";
import type { FastifyBaseLogger } from "fastify";
import pg from "pg";
import { databaseTrouble, describeError, isLockTimeout } from "../database/sqlstate.js";
import { databaseRefusal } from "../refusals/request-refused.js";
import { isCandidate, type Submitted } from "./candidate.js";
import { decide, type Outcome } from "./decide.js";
import { findDifferences } from "./differences.js";
import { lockOrganization } from "./lock-organization.js";
import { lookUp } from "./look-up.js";
import { YieldBudget } from "../scheduling/yield-budget.js";
import { expectStored, ReplaysGone } from "./replays-gone.js";
import { countFailures, noEntities, report, unstored, type RunTimes } from "./report.js";
import type { ResourceDefinition } from "./resources.js";
import { entityTables, noRows, type Making, type Rows, type RunIdentity } from "./rows.js";
import { wasCommittedAfterAll } from "./unknown-end.js";
import type { World } from "./world.js";
import { writeExceptions, writeRows, writeRun, type RunOrigin } from "./write.js";

/** One run while it is being stored. */
export interface Run {
  log: FastifyBaseLogger;
  /** Does a step of the story, under its name in traces. */
  step<T>(name: string, work: () => Promise<T>): Promise<T>;
  resource: ResourceDefinition;
  validateOnly: boolean;
  identity: RunIdentity;
  origin: RunOrigin;
  startedAt: Date;
  startedMs: number;
  /** For so long it is asked how a run ended whose commit brought no answer. */
  maxAskingMs: number;
}

export function endOf(run: Run): RunTimes {
  const durationMs = Math.max(0, Math.round(performance.now() - run.startedMs));
  return {
    startedAt: run.startedAt,
    completedAt: new Date(run.startedAt.getTime() + durationMs),
    durationMs,
  };
}

const maxAttempts = 3;

/**
 * Writes optimistically: all records at once, without savepoints. If the database refuses one of them, it starts over
 * in careful mode, which finds the culprit. If the connection broke, it starts over on another one, provided that
 * nothing was committed. `readAll` reads every record, also those that were taken for replays.
 */
export async function store(
  pool: pg.Pool,
  run: Run,
  submitted: readonly Submitted[],
  readAll: () => Promise<readonly Submitted[]>,
): Promise<ImportRun> {
  let careful = false;
  let records = submitted;
  for (let attempt = 1; ; attempt += 1) {
    const tried = await run.step("store", () => tryOnce(pool, run, records, careful));
    if ("answer" in tried) return tried.answer;
    const { error, begun, unsettled } = tried;
    run.log.warn({ ...describeError(error), attempt, careful }, "import attempt failed");
    // Nothing was tried yet, or another's lock was waited for in vain: the run does not fail, it has not been.
    const refusal = (attempt === 1 && !begun) || isLockTimeout(error) ? databaseRefusal(error) : undefined;
    if (refusal && !unsettled) throw refusal;
    // An error at commit does not mean that it was not committed.
    if (unsettled && (await wasCommittedAfterAll(pool, run))) return unsettled;
    if (error instanceof ReplaysGone) records = await readAll();
    const trouble = error instanceof ReplaysGone ? "conflict" : databaseTrouble(error);
    if (attempt >= maxAttempts || trouble === undefined || (trouble === "refused" && careful)) throw error;
    careful ||= trouble === "refused";
  }
}

/**
 * `begun`: there was a connection. `unsettled`: what would be answered if the commit, which was sent, has arrived after
 * all.
 */
type Tried = { answer: ImportRun } | { error: unknown; begun: boolean; unsettled: ImportRun | undefined };

async function tryOnce(
  pool: pg.Pool,
  run: Run,
  submitted: readonly Submitted[],
  careful: boolean,
): Promise<Tried> {
  let client: pg.PoolClient;
  try {
    client = await pool.connect();
  } catch (error) {
    return { error, begun: false, unsettled: undefined };
  }
  let broken: Error | undefined;
  let answer: ImportRun | undefined;
  try {
    answer = await storeOnce(client, run, submitted, careful);
    const { command } = await client.query(run.validateOnly ? "rollback" : "commit");
    // PostgreSQL answers the commit of a transaction that has failed with a rollback, and calls it no error.
    if (!run.validateOnly && command !== "COMMIT") throw new Error(`The commit ended as ${command}`);
    return { answer };
  } catch (error) {
    // A connection on which the server itself reported the error can be used again; any other error may have left it
    // in the middle of a statement, so it is thrown away rather than waited for.
    broken = error instanceof pg.DatabaseError ? await rollback(client) : (error as Error);
    return { error, begun: true, unsettled: run.validateOnly ? undefined : answer };
  } finally {
    client.release(broken);
  }
}

/** Returns the error that makes the connection unfit for further use. */
async function rollback(client: pg.PoolClient): Promise<Error | undefined> {
  try {
    await client.query("rollback");
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

async function storeOnce(
  client: pg.PoolClient,
  run: Run,
  submitted: readonly Submitted[],
  careful: boolean,
): Promise<ImportRun> {
  const { organizationId, runId } = run.identity;
  await client.query("begin");
  await expectStored(client, organizationId, run.resource, submitted);
  // Replays leave nothing to decide, so nobody has to wait for them; counting the run takes the lock at their end.
  if (submitted.some(isCandidate)) await lockOrganization(client, organizationId);
  const world = await run.step("look up", () => lookUp(client, organizationId, run.resource, submitted));
  const { outcomes, created } = careful
    ? await storeCarefully(client, run, submitted, world)
    : await storeAtOnce(client, run, submitted, world);
  const differences = await run.step("compare", () =>
    findDifferences(client, organizationId, run.resource, submitted, outcomes, run.log),
  );
  return run.step("report", async () => {
    await writeExceptions(client, organizationId, runId, submitted, outcomes, differences);
    const answer = report(runId, run.resource, endOf(run), submitted, outcomes, created);
    await writeRun(client, run.origin, answer, countFailures(outcomes));
    return answer;
  });
}

interface Stored {
  outcomes: Outcome[];
  created: CreatedEntities;
}

async function storeAtOnce(
  client: pg.PoolClient,
  run: Run,
  submitted: readonly Submitted[],
  world: World,
): Promise<Stored> {
  const rows = noRows();
  const outcomes = await run.step("decide", () => decideAll(run, submitted, world, rows));
  await run.step("write", () => writeRows(client, rows));
  return { outcomes, created: countRelated(run, rows) };
}

async function decideAll(
  run: Run,
  submitted: readonly Submitted[],
  world: World,
  rows: Rows,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const budget = new YieldBudget();
  for (const record of submitted) {
    outcomes.push(
      isCandidate(record)
        ? decideAlone(run, { run: run.identity, world, rows, candidate: record })
        : { status: 3, stored: record.stored },
    );
    if (budget.isSpent) await budget.giveWay();
  }
  return outcomes;
}

/** How many rows there were before the record that is being decided; one list for all, as nothing interrupts a decision. */
const countsBefore = entityTables.map(() => 0);

/** An error of our own on one record is the failure of that record, and takes back what it had made by then. */
function decideAlone(run: Run, making: Making): Outcome {
  const mark = making.world.mark();
  for (const [index, table] of entityTables.entries()) countsBefore[index] = making.rows[table].length;
  try {
    return decide(making, run.resource.create);
  } catch (error) {
    const { position } = making.candidate;
    run.log.error({ ...describeError(error), position }, "a record could not be decided");
    making.world.returnTo(mark);
    for (const [index, table] of entityTables.entries())
      making.rows[table].length = countsBefore[index] as number;
    return unstored();
  }
}

/**
 * Halves the batch until the record that the database refuses stands alone: a logarithmic number of tries for each
 * such record. Every part is decided anew after the parts before it, so that it links only to what is really there.
 */
async function storeCarefully(
  client: pg.PoolClient,
  run: Run,
  submitted: readonly Submitted[],
  world: World,
): Promise<Stored> {
  const stored: Stored = { outcomes: [], created: noEntities() };

  async function storePart(part: readonly Submitted[]): Promise<void> {
    const mark = world.mark();
    await client.query("savepoint part");
    try {
      const { outcomes, created } = await storeAtOnce(client, run, part, world);
      await client.query("release savepoint part");
      stored.outcomes.push(...outcomes);
      addEntities(stored.created, created);
    } catch (error) {
      if (databaseTrouble(error) !== "refused") throw error;
      await client.query("rollback to savepoint part; release savepoint part");
      world.returnTo(mark);
      if (part.length === 1) {
        run.log.error(
          { ...describeError(error), position: part[0]?.position },
          "the database refused a record",
        );
        stored.outcomes.push(unstored());
        return;
      }
      const middle = Math.ceil(part.length / 2);
      await storePart(part.slice(0, middle));
      await storePart(part.slice(middle));
    }
  }

  await storePart(submitted);
  return stored;
}

/** Only transactions create related entities; on the other endpoints the records themselves are no such. */
function countRelated(run: Run, rows: Record<keyof CreatedEntities, unknown[]>): CreatedEntities {
  if (run.resource.name !== "transactions") return noEntities();
  return {
    accounts: rows.accounts.length,
    contacts: rows.contacts.length,
    vehicles: rows.vehicles.length,
    subscriptions: rows.subscriptions.length,
  };
}

function addEntities(total: CreatedEntities, more: CreatedEntities): void {
  for (const kind of Object.keys(total) as (keyof CreatedEntities)[]) total[kind] += more[kind];
}
