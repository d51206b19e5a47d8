import { isObject, type ImportResourceName } from "@gatehouse-parking/contract";
import { fieldAt, fieldTrees, problemText, type Prepared } from "@gatehouse-parking/record-files";
import type { FailedRecord } from "../../outcomes.js";
import { commandLineRows } from "../messages.js";
import { count } from "./progress.js";

/** Records that failed for the same reason, whatever their values. */
export interface ProblemGroup {
  /** Empty if the problem concerns the whole record. */
  field: string;
  message: string;
  records: number;
  /** A few examples with different values. */
  examples: { line: number; value?: string }[];
}

/** A longer list would not help the reader. */
const maxGroups = 50;
const maxExamples = 3;
const maxValueLength = 80;
const otherProblems = "other problems; see results.ndjson";

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

/**
 * Rows rejected by the conversion have structured problems. In messages of the record check, each sentence
 * begins with the field.
 */
function problemsOf(row: Prepared, outcome: FailedRecord): OneProblem[] {
  if (row.refusal)
    return row.refusal.problems.map((problem) => ({
      field: problem.path,
      message: problemText(problem, commandLineRows),
      value: problem.value === undefined ? undefined : cut(problem.value),
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

const maxShownGroups = 10;

/** The most frequent problems, each with its count, examples and advice. */
export function problemLines(groups: readonly ProblemGroup[], resource: ImportResourceName): string[] {
  const sorted = groups.toSorted((one, other) => other.records - one.records);
  const rest = sorted.slice(maxShownGroups);
  return [
    ...sorted.slice(0, maxShownGroups).flatMap((group) => groupLines(group, resource)),
    ...(rest.length > 0 ? [`    and ${rest.length} other problems; see results.ndjson`] : []),
  ];
}

function groupLines(group: ProblemGroup, resource: ImportResourceName): string[] {
  const { field, message, records, examples } = group;
  const values = examples.map(({ line, value }) =>
    value === undefined ? `line ${line}` : `${JSON.stringify(value)} in line ${line}`,
  );
  const sentence = field === "" ? message : `${field} ${message}`;
  const hint = hintFor(group, resource);
  return [
    `    ${sentence}: ${count(records)} ${records === 1 ? "record" : "records"}, ${records > 1 ? "such as " : ""}${values.join(", ")}`,
    ...(hint === undefined ? [] : [`      ${hint}`]),
  ];
}

/** How to declare a value that is valid in the file. Messages that already say what to do get no hint. */
function hintFor(
  { field, message, examples }: ProblemGroup,
  resource: ImportResourceName,
): string | undefined {
  const known = field === "" ? undefined : fieldAt(fieldTrees[resource], field);
  const hasValue = examples.some(({ value }) => value !== undefined && value !== "null");
  if (!known || !hasValue || !message.startsWith("must be")) return undefined;
  if (known.names)
    return `Map the values in the mapping file with "values": ${Object.keys(known.names).join(", ")}`;
  if (known.kind === "amount" || known.kind === "integer")
    return "If these are numbers, use --number-format to show how the file writes 1234.50; if they mean an empty value, list them with --empty";
  if (known.kind === "flag") return "List the words of the file with --true and --false";
  return undefined;
}
