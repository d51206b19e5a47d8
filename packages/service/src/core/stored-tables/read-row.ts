import { invalidInput } from "../refusals/user-error.js";
import { scanMembers, scanValue } from "@gatehouse-parking/json-text";
import type { Field, FieldKind, RowValues, Section } from "./section.js";

/** Metadata may nest 64 levels; differences and the line itself add some. */
const maxDepth = 80;

/** The valid values of a line. Throws UserError or MalformedJson otherwise. */
export function readRow(section: Section, text: string, isExported = true): RowValues {
  const members = membersOf(text);
  const values = new Map<string, string | null>();
  for (const field of section.fields) values.set(field.name, valueIn(field, members.get(field.name)));
  for (const { field, must, isKept, inExportsOnly } of section.rules ?? [])
    if ((isExported || !inExportsOnly) && !isKept(values)) throw invalidInput(`${field} ${must}`);
  if (members.size !== section.fields.length + 1) refuseUnknown(section, members);
  return values;
}

function membersOf(text: string): Map<string, string> {
  const whole = scanValue(text, 0);
  if (whole.end !== text.length) throw invalidInput("text follows the object");
  if (whole.depth > maxDepth) throw invalidInput(`it nests more than ${maxDepth} levels`);
  const members = new Map<string, string>();
  for (const [name, { start, end }] of scanMembers(text, 0)) members.set(name, text.slice(start, end));
  return members;
}

function refuseUnknown({ fields }: Section, members: ReadonlyMap<string, string>): void {
  for (const name of members.keys())
    if (name !== "kind" && !fields.some((field) => field.name === name))
      throw invalidInput(`this release does not know the field ${JSON.stringify(name.slice(0, 100))}`);
}

const stringKinds: ReadonlySet<FieldKind> = new Set(["uuid", "text", "moment", "date", "bytes"]);

/** A field that an older release does not have is null. */
function valueIn(field: Field, text = "null"): string | null {
  if (text === "null" && field.isNullable) return null;
  const value = stringKinds.has(field.kind) ? stringIn(text) : text;
  const problem = value === undefined ? "must be a string" : field.problem(value);
  if (problem !== undefined)
    throw invalidInput(`${field.name} ${text === "null" ? "must not be null" : problem}`);
  return value as string;
}

function stringIn(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}
