import { isObject, type ImportResourceName } from "@gatehouse-parking/contract";
import { rowMessages, problemText, type RowMessages } from "../messages.js";
import type { Finding } from "../refusals.js";
import type { Table } from "../table.js";
import { checkRecord, messageAfterPath } from "./check.js";
import { FileFindings } from "./findings/file-findings.js";
import { prepareRows, type Prepared, type PrepareOptions } from "./prepare.js";

/** Rows that fail for the same reason, whatever their values. */
export interface ProblemGroup {
  /** The field; "" for the whole record. */
  path: string;
  /** Follows the path. */
  message: string;
  rows: number;
  /** A few rows with different values. */
  examples: { line: number; value?: string }[];
}

/** What the offline check of a whole file finds. */
export interface FileCheck {
  rows: number;
  valid: number;
  failed: number;
  /** Rows that the mapping leaves out. */
  leftOut: number;
  /** Most rows first. */
  problems: ProblemGroup[];
  /** Problems beyond the maximum number of groups. */
  otherProblems: number;
  findings: Finding[];
}

export interface CheckOptions extends Omit<PrepareOptions, "findings"> {
  messages?: RowMessages;
  signal?: AbortSignal;
}

/**
 * Converts and checks every row without the service, which alone knows whether a record exists and whether its
 * references resolve.
 */
export async function checkFile(
  { columns, rows }: Table,
  resource: ImportResourceName,
  { messages = rowMessages, signal, ...options }: CheckOptions,
): Promise<FileCheck> {
  const findings = new FileFindings();
  const prepare = prepareRows(columns, resource, { ...options, findings });
  const groups = new ProblemGroups(messages);
  const check = { rows: 0, valid: 0, failed: 0, leftOut: 0 };
  for await (const row of rows) {
    signal?.throwIfAborted();
    const prepared = prepare(row);
    check.rows += 1;
    if (prepared.filteredBy) check.leftOut += 1;
    else if (groups.add(resource, prepared)) check.failed += 1;
    else check.valid += 1;
  }
  return { ...check, problems: groups.list(), otherProblems: groups.others, findings: findings.list() };
}

/** More groups than a person reads. */
const maxGroups = 100;
const maxExamples = 3;
const maxShownLength = 80;

class ProblemGroups {
  readonly #messages: RowMessages;
  readonly #groups = new Map<string, ProblemGroup>();
  others = 0;

  constructor(messages: RowMessages) {
    this.#messages = messages;
  }

  /** Whether the row has a problem. */
  add(resource: ImportResourceName, { line, text, refusal }: Prepared): boolean {
    if (text === undefined) {
      for (const problem of refusal?.problems ?? [])
        this.#count(problem.path, problemText(problem, this.#messages), line, () => problem.value);
      return true;
    }
    const { problems } = checkRecord(resource, text);
    for (const problem of problems) {
      const { path } = problem;
      this.#count(path, messageAfterPath(problem), line, () => valueAt(JSON.parse(text), path.split(".")));
    }
    return problems.length > 0;
  }

  list(): ProblemGroup[] {
    return [...this.#groups.values()].toSorted((one, other) => other.rows - one.rows);
  }

  #count(path: string, message: string, line: number, valueOf: () => string | undefined): void {
    const key = JSON.stringify([path, message]);
    let group = this.#groups.get(key);
    if (!group) {
      if (this.#groups.size >= maxGroups) {
        this.others += 1;
        return;
      }
      group = { path, message, rows: 0, examples: [] };
      this.#groups.set(key, group);
    }
    group.rows += 1;
    if (group.examples.length >= maxExamples) return;
    const value = valueOf()?.slice(0, maxShownLength);
    if (!group.examples.some((example) => example.value === value))
      group.examples.push({ line, ...(value === undefined ? {} : { value }) });
  }
}

function valueAt(record: unknown, [name, ...rest]: readonly string[]): string | undefined {
  if (name === undefined) return typeof record === "string" ? record : JSON.stringify(record);
  return isObject(record) && Object.hasOwn(record, name) ? valueAt(record[name], rest) : undefined;
}
