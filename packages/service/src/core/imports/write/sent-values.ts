import { isObject, RecordStatus } from "@gatehouse-parking/contract";
import type pg from "pg";
import { copyInto } from "../../database/copy-rows.js";
import { CopyLine, TextRows, copyText } from "../../database/copy-text.js";
import type { Outcome } from "../judge/decision.js";
import { isCandidate, type Candidate, type Submitted } from "../read/read-records.js";
import { isKept } from "../report.js";
import type { ImportObserver, Run } from "../run.js";

/** What stood in a field that was wrong. */
export interface SentValue {
  field: string;
  /** Text as it is, everything else as JSON. Objects and lists are only named. */
  value: string;
  /** Only its beginning is kept. */
  isCut: boolean;
}

/** Longer than the longest address that is taken, so that those are kept, and found again, whole. */
const maxValueLength = 400;
const maxValuesOfRecord = 10;

const columns = ["organization_id", "run_id", "position", "sent"];
const sentLine = new CopyLine(columns.length);

/** Keeps what the wrong fields of the kept failures held. Only the console shows it, so it must never fail a run. */
export const sentValues: ImportObserver = {
  withRecords(run, records, outcomes) {
    if (!run.keepsSentValues) return [];
    try {
      const rows = rowsOf(run, records, outcomes);
      return rows.count === 0 ? [] : [copyInto("import_sent_values", columns, rows)];
    } catch (error) {
      run.log.warn({ err: error }, "what was sent in wrong fields is not kept");
      return [];
    }
  },
};

function rowsOf(run: Run, records: readonly Submitted[], outcomes: readonly Outcome[]): TextRows {
  const { organizationId, runId } = run.identity;
  const rows = new TextRows();
  let failures = 0;
  for (const [index, record] of records.entries()) {
    const outcome = outcomes[index] as Outcome;
    if (outcome.status !== RecordStatus.Failed) continue;
    if (!isKept(outcome, failures)) break;
    failures += 1;
    const values = isCandidate(record) ? valuesOf(record, outcome.paths ?? []) : [];
    if (values.length === 0) continue;
    const line = sentLine.begin();
    line.add(organizationId);
    line.add(runId);
    line.add(String(record.position));
    line.add(copyText(JSON.stringify(values)));
    rows.add(line.end());
  }
  return rows;
}

function valuesOf(candidate: Candidate, paths: readonly string[]): SentValue[] {
  const values: SentValue[] = [];
  for (const field of paths) {
    const path = field.split(".");
    const given = valueAt(candidate.record, path);
    if (given === undefined) continue;
    const shown = shownValue(given, candidate, path);
    const isCut = shown.length > maxValueLength;
    values.push({ field, value: isCut ? shown.slice(0, maxValueLength) : shown, isCut });
    if (values.length === maxValuesOfRecord) break;
  }
  return values;
}

/** Undefined: nothing was sent there, or there is no such place. */
function valueAt(record: Record<string, unknown>, path: readonly string[]): unknown {
  let value: unknown = record;
  for (const name of path) {
    if (!isObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

function shownValue(given: unknown, { source }: Candidate, path: readonly string[]): string {
  if (typeof given === "string") return given;
  if (typeof given === "number") return source.numberSpelling(path) ?? String(given);
  if (Array.isArray(given)) return "(a list)";
  return isObject(given) ? "(an object)" : String(given);
}

/** What failed records of a run had in their wrong fields, by position; as far as it is kept. */
export async function readSentValues(
  pool: pg.Pool,
  organizationId: string,
  runId: string,
): Promise<Map<number, SentValue[]>> {
  const { rows } = await pool.query<{ position: number; sent: string }>(
    "select position, sent from import_sent_values where organization_id = $1 and run_id = $2",
    [organizationId, runId],
  );
  return new Map(rows.map(({ position, sent }) => [position, JSON.parse(sent) as SentValue[]]));
}
