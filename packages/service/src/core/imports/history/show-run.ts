import { RecordStatus } from "@gatehouse-parking/contract";
import type pg from "pg";
import {
  recordKinds,
  type FailureGroup,
  type RecordKind,
  type RunDetail,
  type RunResult,
  type SentValue,
} from "@gatehouse-parking/contract/console";
import { findKeys } from "../../organizations/shown-keys.js";
import { explainReason, explainResults } from "./run-results.js";
import { notFoundError } from "../../refusals/user-error.js";
import { runColumns, toKeyedSummary, type RunRow } from "./list-runs.js";
import { readSentValues } from "../write/sent-values.js";

interface DetailRow extends RunRow {
  created_accounts: number;
  created_contacts: number;
  created_vehicles: number;
  created_subscriptions: number;
  metadata: string | null;
  request_id: string | null;
  failed_by_reason: Record<string, number> | null;
  deleted_records: Partial<Record<RecordKind, number>> | null;
  exceptions_deleted_at: Date | null;
}

const shownMessages = 50;
const shownValues = 3;

/** Everything that is known about a run, so that whoever sent it can see why it ended as it did. */
export async function showRun(
  pool: pg.Pool,
  {
    organizationId,
    runId,
    sentValuesDays,
    describe,
  }: {
    organizationId: string;
    runId: string;
    sentValuesDays: number;
    describe: readonly DescribeRun[];
  },
): Promise<RunDetail> {
  const run = await findRun(pool, organizationId, runId);
  const explained = await explainResults(pool, { organizationId, runId, resource: run.resource });
  const sent = run.failed_count === 0 ? none : await readSentValues(pool, organizationId, runId);
  const results = explained.map((result) => {
    const values = sent.get(result.position);
    return values ? { ...result, sent: values } : result;
  });
  const failures = results.filter((result) => result.status === RecordStatus.Failed);
  return {
    ...toKeyedSummary(run, await findKeys(pool, organizationId, [run.api_key_id])),
    undone: null,
    undoableUntil: null,
    createdEntities: {
      accounts: run.created_accounts,
      contacts: run.created_contacts,
      vehicles: run.created_vehicles,
      subscriptions: run.created_subscriptions,
    },
    metadata: run.metadata,
    requestId: run.request_id,
    results,
    failuresNotKept: run.failed_count - failures.length,
    deleted: recordKinds.flatMap((kind) => {
      const count = run.deleted_records?.[kind];
      return count === undefined ? [] : [{ kind, count }];
    }),
    exceptionsDeletedAt: run.exceptions_deleted_at?.toISOString() ?? null,
    sentValuesKeptDays: sentValuesDays,
    failureGroups: groupFailures(failures, run.failed_by_reason),
    differingCount: results.filter((result) => result.differences !== undefined).length,
    droppedSubscriptionCount: results.filter((result) => result.trace?.subscription?.via === "dropped")
      .length,
    ...(await described(describe, {
      organizationId,
      runId,
      completedAt: run.completed_at,
      undoneAt: run.undone_at,
    })),
  };
}

/** What features can say of a run. */
export interface RunFacts {
  readonly organizationId: string;
  readonly runId: string;
  readonly completedAt: Date;
  readonly undoneAt: Date | null;
}

export type DescribeRun = (run: RunFacts) => Promise<Partial<RunDetail>>;

async function described(describe: readonly DescribeRun[], run: RunFacts): Promise<Partial<RunDetail>> {
  return Object.assign({}, ...(await Promise.all(describe.map((add) => add(run))))) as Partial<RunDetail>;
}

export async function findRun(pool: pg.Pool, organizationId: string, runId: string): Promise<DetailRow> {
  const { rows } = await pool.query<DetailRow>(
    `select ${runColumns("run")}, run.created_accounts, run.created_contacts, run.created_vehicles,
            run.created_subscriptions, run.metadata, run.request_id, run.failed_by_reason,
            run.deleted_records, run.exceptions_deleted_at
     from import_runs as run where run.organization_id = $1 and run.id = $2`,
    [organizationId, runId],
  );
  if (!rows[0]) throw notFoundError(`There is no run ${runId} in this organization`);
  return rows[0];
}

const none = new Map<number, SentValue[]>();

/** A record's detail names all that is wrong with it; here each problem is there once, with what was sent in its place. */
function distinctMessages(failures: readonly RunResult[]): FailureGroup["messages"] {
  const found = new Map<string, FailureGroup["messages"][number]>();
  for (const { position, reference, errorDetail = "", sent = [] } of failures) {
    for (const message of errorDetail.split("; ")) {
      const known = found.get(message) ?? { message, count: 0, position, reference, values: [] };
      known.count += 1;
      const value = sent.find(({ field }) => message.startsWith(`${field} `));
      if (value && known.values.length < shownValues) addValue(known.values, value);
      found.set(message, known);
    }
  }
  return [...found.values()].toSorted((one, other) => other.count - one.count).slice(0, shownMessages);
}

function addValue(values: string[], { value, isCut }: SentValue): void {
  const shown = isCut ? `${value}…` : value;
  if (!values.includes(shown)) values.push(shown);
}

/** `counted`: how many there were; without it, as many as were kept. */
function groupFailures(
  failures: readonly RunResult[],
  counted: Record<string, number> | null,
): FailureGroup[] {
  const reasonCodes = counted
    ? Object.keys(counted).map(Number)
    : [...new Set(failures.map(({ reasonCode = 0 }) => reasonCode))];
  return reasonCodes
    .map((reasonCode) => {
      const kept = failures.filter((failure) => failure.reasonCode === reasonCode);
      return {
        reasonCode,
        ...explainReason(reasonCode),
        count: counted?.[reasonCode] ?? kept.length,
        keptCount: kept.length,
        messages: distinctMessages(kept),
      };
    })
    .toSorted((one, other) => other.count - one.count);
}
