import type { ImportResourceName } from "@gatehouse-parking/contract";
import type { UploadProblem } from "@gatehouse-parking/contract/console";
import { memberTexts } from "@gatehouse-parking/json-text";
import { fieldAt, fieldTrees, problemText, type Prepared } from "@gatehouse-parking/record-files";

/** Groups the problems of failed rows: each problem is counted with the number of its rows. */
export interface Problems {
  groups: UploadProblem[];
  /** Rows whose problems did not fit into the limited number of groups. */
  otherRows: number;
}

/** Further problems would not help a user to correct the file. */
const maxGroups = 100;
const maxShownLength = 120;
const maxMessageLength = 500;

type FailedRow = Pick<Prepared, "line" | "text" | "refusal">;
type Failure = { reasonCode?: number | null; errorDetail?: string | null } | undefined;
type FailureOfRow = { row: FailedRow; failure: Failure };

/**
 * Adds the problems of these rows to the earlier ones. A row without `failure` could not be sent. With -1, it subtracts the
 * problems of rows that were corrected, and a group without rows disappears.
 */
export function countProblems(
  before: Problems,
  resource: ImportResourceName,
  failures: readonly FailureOfRow[],
  change: 1 | -1 = 1,
): Problems {
  const groups = new Map(before.groups.map((group) => [keyOf(group), { ...group }]));
  let { otherRows } = before;
  for (const { row, failure } of failures) {
    let isOther = false;
    for (const problem of shownProblems(row, failure, resource)) {
      const known = problem && groups.get(keyOf(problem));
      if (known) known.count += change;
      else if (problem && change > 0 && groups.size < maxGroups) groups.set(keyOf(problem), problem);
      else isOther = true;
    }
    if (isOther) otherRows = Math.max(0, otherRows + change);
  }
  return { groups: [...groups.values()].filter(({ count }) => count > 0), otherRows };
}

function keyOf({ field, message, reasonCode }: UploadProblem): string {
  return JSON.stringify([field, message, reasonCode]);
}

/**
 * Never throws, because problems are only shown to users and must not fail a batch. Undefined: a problem that
 * cannot be shown.
 */
function shownProblems(
  row: FailedRow,
  failure: Failure,
  resource: ImportResourceName,
): (UploadProblem | undefined)[] {
  try {
    return problemsOf(row, failure, resource);
  } catch {
    return [undefined];
  }
}

/**
 * A row that was rejected before sending has its problems already. In errors from the service, each sentence
 * begins with its fields.
 */
function problemsOf(row: FailedRow, failure: Failure, resource: ImportResourceName): UploadProblem[] {
  const { line } = row;
  if (!failure)
    return (row.refusal?.problems ?? []).map((problem) => ({
      field: problem.path,
      message: cut(problemText(problem), maxMessageLength),
      reasonCode: null,
      example: problem.value === undefined ? null : cut(problem.value, maxShownLength),
      line,
      count: 1,
    }));
  const membersAt = row.text === undefined ? () => undefined : memberReader(row.text);
  const reasonCode = failure.reasonCode ?? null;
  return (failure.errorDetail ?? "").split("; ").map((sentence) => {
    const fields = fieldsBefore(sentence, resource);
    const field = fields.join(orElse);
    const [first = ""] = fields;
    return {
      field,
      message: cut(field === "" ? sentence : sentence.slice(field.length + 1), maxMessageLength),
      reasonCode,
      // If one of several fields was required, none was given, so there is no value to show.
      example: fields.length === 1 ? (valueAt(membersAt, first) ?? null) : null,
      line,
      count: 1,
    };
  });
}

/** Separates fields of which one is required. */
const orElse = " or ";

/** The fields at the beginning of a sentence, such as contact.email and contact.phoneNumber. */
function fieldsBefore(sentence: string, resource: ImportResourceName): string[] {
  const fields: string[] = [];
  for (const part of sentence.split(orElse)) {
    const [name = ""] = part.split(" ", 1);
    if (fieldAt(fieldTrees[resource], name) === undefined) return [];
    fields.push(name);
    if (name !== part) return fields;
  }
  return [];
}

type MembersAt = (path: string) => ReadonlyMap<string, string> | undefined;

/**
 * The members of the objects in a record, each split once. Not parsed, because a record may have megabytes in
 * any shape.
 */
function memberReader(text: string): MembersAt {
  const known = new Map([["", memberTexts(text)]]);
  return function membersAt(path) {
    if (!known.has(path)) {
      const object = textAt(membersAt, path);
      known.set(path, object === undefined ? undefined : memberTexts(object));
    }
    return known.get(path);
  };
}

function textAt(membersAt: MembersAt, path: string): string | undefined {
  const dot = path.lastIndexOf(".");
  return membersAt(path.slice(0, Math.max(0, dot)))?.get(path.slice(dot + 1));
}

function valueAt(membersAt: MembersAt, path: string): string | undefined {
  const text = textAt(membersAt, path);
  return text === undefined ? undefined : cut(shownValue(text), maxShownLength);
}

/** Objects and lists are shown only by type, because they may be nested too deeply to be printed. */
function shownValue(text: string): string {
  if (text.startsWith("[")) return "(a list)";
  return text.startsWith("{") ? "(an object)" : String(JSON.parse(text));
}

/** Whether only the beginning of a value is shown. */
export function isCut(example: string): boolean {
  return example.length > maxShownLength;
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}...` : text;
}
