import { parseTimestamp } from "@gatehouse-parking/contract";
import { isJsonObject, objectIn, type Draft } from "./draft.js";
import type { Field, FieldTree } from "./fields.js";
import { momentOf } from "./local-time.js";

/**
 * Gives values the types of the contract: "12.50" becomes a number, "yes" true, "Reservation" 4. What cannot be
 * converted stays as it is, and the checker says what is wrong with it, here with --dry-run as well as in the service.
 */
export interface Conversion {
  /** The zone of times without one; undefined if there is none, and they are left as they are. */
  timeZone: string | undefined;
  /** Filled with times that cannot be converted although they look right. */
  problems: string[];
  /** How many times were ambiguous because the clocks were put back. */
  ambiguousTimes: number;
}

export function convertDraft(draft: Draft, tree: FieldTree, conversion: Conversion, prefix = ""): void {
  for (const [name, value] of draft) {
    const nested = tree.nested.get(name);
    const field = tree.fields.get(name);
    if (nested) {
      const inner = objectIn(value);
      if (!inner) continue;
      convertDraft(inner, nested, conversion, `${prefix}${name}.`);
      draft.set(name, inner);
    } else if (field && typeof value === "string") {
      draft.set(name, convertValue(value, field, prefix + name, conversion));
    }
  }
}

function convertValue(text: string, field: Field, path: string, conversion: Conversion): string {
  const isString = text.startsWith('"');
  if (field.kind === "text") return isNumber(text) ? JSON.stringify(text) : text;
  if (!isString) return text;
  const value = (JSON.parse(text) as string).trim();
  switch (field.kind) {
    case "amount":
      return numberText(value) ?? text;
    case "integer":
      return enumValue(value, field.names) ?? numberText(value) ?? text;
    case "flag":
      return flags.get(value.toLowerCase()) ?? text;
    case "metadata":
      return isJsonObject(value) ? value : text;
    case "time":
      return timeText(value, path, conversion) ?? text;
  }
}

function isNumber(text: string): boolean {
  return /^-?\d/.test(text);
}

/** A JSON number with the same digits. A sign, leading zeros and a bare point are forgiven; a comma never is. */
function numberText(value: string): string | undefined {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?([eE][+-]?\d+)?$/.exec(value);
  if (!match || !/\d/.test(value.replace(/[eE].*/, ""))) return undefined;
  const [, sign, digits = "", fraction, exponent = ""] = match;
  const whole = digits.replace(/^0+/, "") || "0";
  return `${sign === "-" ? "-" : ""}${whole}${fraction ? `.${fraction}` : ""}${exponent}`;
}

/** Names are compared without case and separators, so "Pending approval" and pending_approval are both understood. */
function enumValue(value: string, names: Field["names"]): string | undefined {
  if (!names) return undefined;
  const plain = plainName(value);
  const name = Object.keys(names).find((known) => plainName(known) === plain);
  return name && String(names[name]);
}

function plainName(text: string): string {
  return text.toLowerCase().replaceAll(/[\s_-]/g, "");
}

const flags: ReadonlyMap<string, string> = new Map([
  ...["true", "yes", "y", "1"].map((word) => [word, "true"] as const),
  ...["false", "no", "n", "0"].map((word) => [word, "false"] as const),
]);

const timeShape =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2})(:\d{2})?(\.\d+)?(?: ?([Zz]|[+-]\d{2}(?::?\d{2})?))?$/;

/** The usual spellings of a time in the one the service takes; a time without a zone is moved from its zone to UTC. */
function timeText(value: string, path: string, conversion: Conversion): string | undefined {
  const match = timeShape.exec(value);
  if (!match) return undefined;
  const [, date = "", time = "", seconds = ":00", fraction = "", zone] = match;
  if (zone) return JSON.stringify(`${date}T${time}${seconds}${fraction}${zone.toUpperCase()}`);
  if (!conversion.timeZone) return undefined;
  const wallMs = parseTimestamp(`${date}T${time}${seconds}Z`);
  if (wallMs === undefined) return undefined;
  const local = momentOf(wallMs, conversion.timeZone);
  if (local.kind === "never") {
    conversion.problems.push(
      `${path} ${value} does not exist in ${conversion.timeZone}: the clocks were put forward`,
    );
    return undefined;
  }
  if (local.kind === "twice") conversion.ambiguousTimes += 1;
  return JSON.stringify(`${new Date(local.utcMs).toISOString().slice(0, 19)}${fraction}Z`);
}
