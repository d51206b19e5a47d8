import { RecordStatus } from "@gatehouse-parking/contract";
import type { FailureGroup, RunDetail, RunResult, SentValue } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import type { RunFacts } from "../../core/imports/history/show-run.js";

const maxValuesOfMessage = 3;

/** Adds the stored values to the failed records of a run, and some examples to each message. */
export async function addRejectedValues(
  pool: pg.Pool,
  { organizationId, runId }: RunFacts,
  { failedCount, results, failureGroups }: RunDetail,
  keptDays: number,
): Promise<Partial<RunDetail>> {
  if (failedCount === 0) return { sentValuesKeptDays: keptDays };
  const { rows } = await pool.query<{ position: number; sent: string }>(
    "select position, sent from import_sent_values where organization_id = $1 and run_id = $2",
    [organizationId, runId],
  );
  const stored = new Map(rows.map(({ position, sent }) => [position, JSON.parse(sent) as SentValue[]]));
  const withValues = results.map((result) => {
    const sent = stored.get(result.position);
    return sent ? { ...result, sent } : result;
  });
  return {
    sentValuesKeptDays: keptDays,
    results: withValues,
    failureGroups: failureGroups.map((group) => withExamples(group, withValues)),
  };
}

function withExamples(group: FailureGroup, results: readonly RunResult[]): FailureGroup {
  const failures = results.filter(
    ({ status, reasonCode }) => status === RecordStatus.Failed && reasonCode === group.reasonCode,
  );
  const messages = group.messages.map((message) => ({
    ...message,
    values: examplesOf(message.message, failures),
  }));
  return { ...group, messages };
}

/** A message begins with the field that it is about. */
function examplesOf(message: string, failures: readonly RunResult[]): string[] {
  const examples = new Set<string>();
  for (const { errorDetail = "", sent = [] } of failures) {
    if (!errorDetail.split("; ").includes(message)) continue;
    const found = sent.find(({ field }) => message.startsWith(`${field} `));
    if (found) examples.add(found.isCut ? `${found.value}…` : found.value);
  }
  return [...examples].slice(0, maxValuesOfMessage);
}
