import { isObject } from "@gatehouse-parking/contract";
import type { Prepared } from "@gatehouse-parking/record-files";
import type { FailedRecord } from "../../outcomes.js";

/** Records that failed for the same reason, whatever their values. */
export interface ProblemGroup {
  /** "" if it is about the record as a whole. */
  field: string;
  message: string;
  records: number;
  /** A few of them, with different values. */
  examples: { line: number; value?: string }[];
}

/** A file that fails in more ways is not understood better by reading them all. */
const maxGroups = 50;
const maxExamples = 3;
const maxValueLength = 80;
const otherProblems = "other problems; results.ndjson has them all";

/** Adds the problems of one record. */
export function countProblems(groups: ProblemGroup[], row: Prepared, outcome: FailedRecord): void {
  for (const { field, message, value } of problemsOf(row, outcome)) {
    const group = groupFor(groups, field, message);
    group.records += 1;
    const isNew = !group.examples.some((example) => example.value === value);
    if (isNew && group.examples.length < maxExamples)
      group.examples.push({ line: row.line, ...(value === undefined ? {} : { value }) });
  }
}

function groupFor(groups: ProblemGroup[], field: string, message: string): ProblemGroup {
  const found = groups.find((group) => group.field === field && group.message === message);
  if (found) return found;
  const isFull = groups.length >= maxGroups;
  const last = groups.at(-1);
  if (isFull && last?.message === otherProblems) return last;
  const group = {
    field: isFull ? "" : field,
    message: isFull ? otherProblems : message,
    records: 0,
    examples: [],
  };
  groups.push(group);
  return group;
}

interface OneProblem {
  field: string;
  message: string;
  value: string | undefined;
}

/** What was refused here knows its problems; of what the checker refused, each sentence begins with the field. */
function problemsOf(row: Prepared, outcome: FailedRecord): OneProblem[] {
  if (row.refusal?.problems)
    return row.refusal.problems.map(({ path, problem, advice, value }) => ({
      field: path,
      message: advice === undefined ? problem : `${problem}; ${advice}`,
      value: value === undefined ? undefined : cut(value),
    }));
  const record: unknown = row.text === undefined ? undefined : JSON.parse(row.text);
  return outcome.errorDetail.split("; ").map((sentence) => {
    const [field = ""] = sentence.split(" ", 1);
    const value = valueAt(record, field.split("."));
    return value === undefined
      ? { field: "", message: sentence, value }
      : { field, message: sentence.slice(field.length + 1), value };
  });
}

function valueAt(record: unknown, [name = "", ...rest]: readonly string[]): string | undefined {
  if (!isObject(record) || !Object.hasOwn(record, name)) return undefined;
  const value = record[name];
  if (rest.length > 0) return valueAt(value, rest);
  return cut(typeof value === "string" ? value : JSON.stringify(value));
}

function cut(value: string): string {
  return value.length > maxValueLength ? `${value.slice(0, maxValueLength)}...` : value;
}
