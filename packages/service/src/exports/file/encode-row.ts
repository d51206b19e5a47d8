import { isUuid, isStorableText } from "@gatehouse-parking/contract";
import { MalformedJson, scanMembers, scanValue } from "@gatehouse-parking/json-text";
import { copyHex, copyNull, copyText, type CopyValue } from "../../database/copy-text.js";
import type { Field, FieldKind, Section } from "../section.js";
import { refuse } from "./read-export.js";
import type { Line } from "./read-lines.js";

/** Metadata may nest 64 levels; differences and the line itself add some. */
const maxDepth = 80;
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d{1,6})?$/;
const hex = /^(?:[0-9a-f]{2})*$/;

export interface EncodedRow {
  /** A line of COPY, without the organization. */
  values: CopyValue[];
  /** The newest uuid in the key. It shows whether the file comes from the future. */
  newest: string;
}

export function columnsOf({ fields, computed = [] }: Section): string[] {
  return [...fields.map(({ column }) => column), ...computed.map(({ column }) => column)];
}

/** Turns a line into a row of its table. Whatever is not as its section says is refused by the line's number. */
export function encodeRow(section: Section, line: Line): EncodedRow {
  const { fields, computed = [], key } = section;
  const texts = membersOf(line);
  if (texts.size !== fields.length + 1) refuseUnknown(section, line, texts);
  const values = new Map<string, string | null>();
  const encoded = fields.map((field) => {
    const text = texts.get(field.name) ?? "null";
    if (text === "null") values.set(field.name, null);
    if (text === "null") return copyNull;
    const value = readValue(field, text, line);
    values.set(field.name, value);
    return encodeValue(field.kind, value);
  });
  const keys = fields.filter(
    ({ column, kind }) => kind === "uuid" && key.some(({ name }) => name === column),
  );
  return {
    values: [...encoded, ...computed.map(({ value }) => value(values))],
    newest:
      keys
        .map(({ name }) => values.get(name) ?? "")
        .toSorted()
        .at(-1) ?? "",
  };
}

function membersOf(line: Line): Map<string, string> {
  try {
    const text = decoder.decode(line.bytes);
    const whole = scanValue(text, 0);
    if (whole.end !== text.length) refuse(line, "something follows the object");
    if (whole.depth > maxDepth) refuse(line, `it nests more than ${maxDepth} levels`);
    const members = new Map<string, string>();
    for (const [name, { start, end }] of scanMembers(text, 0)) members.set(name, text.slice(start, end));
    return members;
  } catch (error) {
    if (error instanceof MalformedJson) refuse(line, `it is not valid JSON. ${error.message}`);
    if (error instanceof TypeError) refuse(line, "it is not valid UTF-8");
    throw error;
  }
}

/** A field that an older release did not have is null. */
function refuseUnknown({ fields, kind }: Section, line: Line, texts: Map<string, string>): void {
  for (const name of texts.keys())
    if (name !== "kind" && !fields.some((field) => field.name === name))
      refuse(line, `this release knows no field ${JSON.stringify(name.slice(0, 100))} of ${kind}`);
}

/** The value as text; json and numbers as they are spelled. */
function readValue({ name, kind }: Field, text: string, line: Line): string {
  const wanted = wantedOf(kind);
  const value = wanted.isString ? stringIn(text) : text;
  if (value === undefined || !wanted.fits(value)) refuse(line, `${name} must be ${wanted.says}`);
  return value;
}

interface Wanted {
  isString: boolean;
  says: string;
  fits(value: string): boolean;
}

const anything = (): boolean => true;
const kinds: Record<FieldKind, Wanted> = {
  uuid: { isString: true, says: "a uuid", fits: isUuid },
  text: { isString: true, says: "text that can be stored", fits: isStorableText },
  moment: { isString: true, says: "a moment", fits: isStorableText },
  date: { isString: true, says: "a date", fits: isStorableText },
  bytes: { isString: true, says: "bytes in hex", fits: (text) => hex.test(text) },
  integer: { isString: false, says: "an integer", fits: (text) => /^-?\d{1,18}$/.test(text) },
  decimal: { isString: false, says: "a number", fits: (text) => number.test(text) },
  flag: { isString: false, says: "true or false", fits: (text) => text === "true" || text === "false" },
  // PostgreSQL reads it as JSON itself.
  json: { isString: false, says: "JSON", fits: anything },
};

function wantedOf(kind: FieldKind): Wanted {
  return kinds[kind];
}

function stringIn(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}

function encodeValue(kind: FieldKind, value: string): CopyValue {
  return kind === "bytes" ? copyHex(value) : copyText(value);
}
