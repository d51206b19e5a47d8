import { isObject, phoneDigits } from "@gatehouse-parking/contract";
import type { UploadProblem } from "@gatehouse-parking/contract/console";
import { headerShape, type Finding } from "@gatehouse-parking/record-files";
import { isJson } from "@gatehouse-parking/json-text";
import type { FieldDifference, SentValue } from "@gatehouse-parking/contract/console";
import type { RowOutcome } from "../uploads/outcomes.js";
import { isCut } from "../uploads/work/problems.js";
import { textsOfJson, textsWithin } from "./json-texts.js";
import { mentions, mentionsInText } from "./mentions.js";
import type { Person } from "./person.js";

/** How the person is erased from columns whose JSON the service reads again. Each function returns the new text of the column. */

const erasedMessage = "The row was erased on request";
const erasedProblem = "The problem with the file was erased on request";

export function differencesWithout(person: Person, text: string): string | null {
  const isAboutPerson = (JSON.parse(text) as FieldDifference[]).some(({ stored, sent }) =>
    [stored, sent].some((value) => value !== null && mentions(person, value)),
  );
  return isAboutPerson ? null : text;
}

/** The missing part of a truncated value may mention the person, so the value is erased too. */
export function sentValuesWithout(person: Person, text: string): string | null {
  const mayMention = (JSON.parse(text) as SentValue[]).some(
    ({ value, isCut: isTruncated }) => isTruncated || mentions(person, value),
  );
  return mayMention ? null : text;
}

export function viewQueryWithout(person: Person, query: string): string | null {
  const isAboutPerson = [...new URLSearchParams(query).values()].some((text) => mentionsInText(person, text));
  return isAboutPerson ? null : query;
}

/** Columns are also identified by their position, so a name is emptied and not removed. */
export function columnNamesWithout(person: Person, text: string): string {
  const names = JSON.parse(text) as string[];
  if (!isAbout(person, names)) return text;
  return JSON.stringify(names.map((name) => (mentionsInText(person, name) ? "" : name)));
}

export function columnShapeWithout(person: Person, columns: string): string {
  return headerShape(JSON.parse(columnNamesWithout(person, columns)) as string[]);
}

/** Columns, replacements and constants are removed as a whole, so the rest is still a valid mapping. */
export function mappingWithout(person: Person, text: string): string {
  const mapping = JSON.parse(text) as Record<string, unknown>;
  if (!isAbout(person, mapping)) return text;
  const { columns, constants, ...others } = mapping;
  return JSON.stringify({
    ...membersWithout(person, others),
    ...(isObject(columns) && { columns: columnTargetsWithout(person, columns) }),
    ...(isObject(constants) && { constants: membersWithout(person, constants) }),
  });
}

function columnTargetsWithout(person: Person, columns: Record<string, unknown>): Record<string, unknown> {
  const targets = Object.entries(columns).map(([name, target]) => {
    const values = isObject(target) ? target["values"] : undefined;
    const kept = isObject(values)
      ? { ...(target as object), values: membersWithout(person, values) }
      : target;
    return [name, kept] as const;
  });
  return membersWithout(person, Object.fromEntries(targets));
}

function membersWithout(person: Person, members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter((member) => !isAbout(person, member)));
}

function isAbout(person: Person, value: unknown): boolean {
  return textsWithin(value).some((text) => mentionsInText(person, text));
}

/** Of a row that mentions the person, only the outcome is kept. */
export function outcomesWithout(person: Person, text: string): string {
  const outcomes = JSON.parse(text) as RowOutcome[];
  if (!outcomes.some((outcome) => isRowAbout(person, outcome))) return text;
  return JSON.stringify(outcomes.map((outcome) => (isRowAbout(person, outcome) ? erased(outcome) : outcome)));
}

/** The same for a single row, which somebody corrected. */
export function outcomeWithout(person: Person, text: string): string {
  const outcome = JSON.parse(text) as RowOutcome;
  return isRowAbout(person, outcome) ? JSON.stringify(erased(outcome)) : text;
}

function erased([line, status, uuid, reasonCode, , , cells]: RowOutcome): RowOutcome {
  return [line, status, uuid, reasonCode, erasedMessage, "", cells.map(() => "")];
}

export function countErasedOutcomes(before: string, after: string | null): number {
  const count = (text: string) =>
    (JSON.parse(text) as RowOutcome[]).filter(([, , , , message]) => message === erasedMessage).length;
  return count(after ?? "[]") - count(before);
}

function isRowAbout(person: Person, [, , , , message, reference, cells]: RowOutcome): boolean {
  return [message ?? "", reference, ...cells].some((cell) =>
    textsInCell(cell).some((text) => mentions(person, text)),
  );
}

/** A row of a JSON file is one cell with the whole record. */
function textsInCell(cell: string): string[] {
  return cell.startsWith("{") && isJson(cell) ? textsOfJson(cell) : [cell];
}

export function problemsWithout(person: Person, text: string): string {
  const problems = JSON.parse(text) as UploadProblem[];
  const isShown = ({ example }: UploadProblem) =>
    example !== null && (isCut(example) || mentions(person, example));
  if (!problems.some(isShown)) return text;
  return JSON.stringify(
    problems.map((problem) => (isShown(problem) ? { ...problem, example: null } : problem)),
  );
}

/** A value that is shortened may mention the person in its missing part. */
export function findingsWithout(person: Person, text: string): string {
  const mayMention = (value: string) => value.endsWith("...") || mentions(person, value);
  return JSON.stringify(
    (JSON.parse(text) as Finding[])
      .filter(({ data }) => !textsWithin(data).some(mayMention))
      .map((finding) => ({
        ...finding,
        examples: finding.examples.map(({ value, ...example }) =>
          value === undefined || mayMention(value) ? example : { ...example, value },
        ),
      })),
  );
}

/** The missing part of a truncated quotation may mention the person, so the problem is erased too. */
export function problemWithout(person: Person, text: string): string {
  const hasNumber = person.phone !== undefined && phoneDigits(text).includes(person.phone);
  return hasNumber || text.includes('..."') || mentions(person, text) ? erasedProblem : text;
}
