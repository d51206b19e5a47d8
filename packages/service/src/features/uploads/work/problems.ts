import type { ImportResourceName, RecordResult } from "@gatehouse-parking/contract";
import type { UploadProblem } from "@gatehouse-parking/contract/console";
import { memberTexts } from "@gatehouse-parking/json-text";
import { fieldAt, fieldTrees, problemText, type Prepared } from "@gatehouse-parking/record-files";

/** What is wrong with the rows that failed: the same problem counts once, with the number of its rows. */
export interface Problems {
  groups: UploadProblem[];
  /** Rows with problems that found no group any more. */
  otherRows: number;
}

/** A file that fails in more ways is not understood better by reading them all. */
const maxGroups = 100;
const maxShownLength = 120;
const maxMessageLength = 500;

type Failure = Pick<RecordResult, "reasonCode" | "errorDetail"> | undefined;

/** Adds the problems of these rows to those before. A row without `failure` could not be sent. */
export function addProblems(
  before: Problems,
  resource: ImportResourceName,
  failures: readonly { row: Prepared; failure: Failure }[],
): Problems {
  const groups = new Map(before.groups.map((group) => [keyOf(group), { ...group }]));
  let { otherRows } = before;
  for (const { row, failure } of failures) {
    let isOther = false;
    for (const problem of shownProblems(row, failure, resource)) {
      const known = problem && groups.get(keyOf(problem));
      if (known) known.count += 1;
      else if (problem && groups.size < maxGroups) groups.set(keyOf(problem), problem);
      else isOther = true;
    }
    if (isOther) otherRows += 1;
  }
  return { groups: [...groups.values()], otherRows };
}

function keyOf({ field, message, reasonCode }: UploadProblem): string {
  return JSON.stringify([field, message, reasonCode]);
}

/** Never throws: problems are shown to people and must not fail a batch. Undefined: a problem that cannot be shown. */
function shownProblems(
  row: Prepared,
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
 * A row that was refused here knows its problems. In what the service answered, each sentence begins with its fields.
 */
function problemsOf(row: Prepared, failure: Failure, resource: ImportResourceName): UploadProblem[] {
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
      // Where one of several fields would do, none was given, so there is no value to show.
      example: fields.length === 1 ? (valueAt(membersAt, first) ?? null) : null,
      line,
      count: 1,
    };
  });
}

/** Between fields one of which is required. */
const orElse = " or ";

/** The fields that a sentence begins with, such as contact.email and contact.phoneNumber. */
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

/** The members of the objects in a record, each taken apart once. It is not parsed: it may have megabytes of any shape. */
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

/** Objects and lists are only named: they may be nested too deeply to be written. */
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
