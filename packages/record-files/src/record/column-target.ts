import { isObject } from "@gatehouse-parking/contract";
import { MappingError } from "../refusals.js";
import { readClockTime } from "./conversions/clock-time.js";
import { readScale } from "./conversions/scale.js";
import { nameOrders, type NameOrder } from "./full-name.js";
import { readChoice, readRules, ruleNames, type Refuse, type Rules } from "./rules.js";

/** A field that a column goes to, and how its cells become the value. */
export interface ColumnTarget {
  to: string;
  /** Replacements as JSON texts; unlisted values stay unchanged. */
  values: ReadonlyMap<string, string>;
  rules?: Rules;
  /** Further columns whose cells are appended, such as the time of a date. */
  with: readonly string[];
  /** Between the cells. */
  separator?: string;
  /** Put before the text. */
  prefix?: string;
  /** Whether the text is replaced by its hash. */
  isHashed?: boolean;
  /** The power of ten that an amount is multiplied by. */
  scale?: number;
  /** The time that a date without a time gets, as HH:mm:ss, or "refuse". */
  timeOfDay?: string;
  /** The field that this time is never before; if it would be, it is on the next day. */
  after?: string;
  /** Whether the field is left out where its value is not valid. */
  isLeftOutOnProblem?: boolean;
  /** How to split a full name; `to` is then an object with firstName and lastName. */
  name?: NameOrder;
  /** How the cell identifies a location. */
  location?: LocationHint;
}

export const locationHints = ["uuid", "tpReferenceId", "name", "any"] as const;
export type LocationHint = (typeof locationHints)[number];

/** What to do where the value of a field is not valid. */
const reactions = ["leaveOut"] as const;

const targetMembers = [
  ...[...ruleNames, "to", "values", "with", "separator", "prefix", "hash"],
  ...["scale", "timeOfDay", "after", "onProblem", "name", "location"],
];

/** The "timeOfDay" of a column in which a date without a time fails. */
export const refuseDates = "refuse";

/** Keeps rows small: a longer list of columns or of targets is a mistake. */
const maxJoined = 100;

/** The targets of a column: a field, an object, a list of these, or null for none. */
export function readTargets(column: string, content: unknown): readonly ColumnTarget[] {
  const refuse: Refuse = (refusal) => {
    throw new MappingError(refusal, column);
  };
  if (content === null) return [];
  const targets = [content].flat();
  if (targets.length === 0 || targets.length > maxJoined) return refuse({ code: "targetShape", data: {} });
  return targets.map((target) => readTarget(target, refuse));
}

function readTarget(target: unknown, refuse: Refuse): ColumnTarget {
  if (typeof target === "string") return plainTarget(target);
  if (!isObject(target) || typeof target["to"] !== "string" || !isObject(target["values"] ?? {}))
    return refuse({ code: "targetShape", data: {} });
  const unknown = Object.keys(target).find((member) => !targetMembers.includes(member));
  if (unknown !== undefined) refuse({ code: "unknownMember", data: { name: unknown, known: targetMembers } });
  const values = Object.entries((target["values"] ?? {}) as Record<string, unknown>);
  return {
    to: target["to"],
    values: new Map(values.map(([value, replacement]) => [value, JSON.stringify(replacement)])),
    rules: readRules(target, refuse),
    with: readColumns(target["with"] ?? [], refuse),
    ...readText("separator", target["separator"], refuse),
    ...readText("prefix", target["prefix"], refuse),
    ...readScaleOf(target["scale"], refuse),
    ...readTimeOfDay(target["timeOfDay"], refuse),
    ...readText("after", target["after"], refuse),
    isHashed: readFlag("hash", target["hash"], refuse),
    isLeftOutOnProblem: readChoice("onProblem", target["onProblem"], reactions, refuse) === "leaveOut",
    ...given("name", readChoice("name", target["name"], nameOrders, refuse)),
    ...given("location", readChoice("location", target["location"], locationHints, refuse)),
  };
}

/** The target of a column that says nothing but its field. */
export function plainTarget(to: string): ColumnTarget {
  return { to, values: new Map(), with: [] };
}

function readColumns(content: unknown, refuse: Refuse): readonly string[] {
  const names = [content].flat();
  const isText = (name: unknown): name is string => typeof name === "string";
  return names.every(isText) && names.length <= maxJoined ? names : refuse({ code: "notColumn", data: {} });
}

function readText<Name extends string>(
  member: Name,
  value: unknown,
  refuse: Refuse,
): { [Key in Name]?: string } {
  if (value !== undefined && typeof value !== "string") return refuse({ code: "notText", data: { member } });
  return given(member, value);
}

function readFlag(member: string, value: unknown, refuse: Refuse): boolean {
  return value === undefined || typeof value === "boolean"
    ? value === true
    : refuse({ code: "notTrueOrFalse", data: { member } });
}

function readScaleOf(value: unknown, refuse: Refuse): { scale?: number } {
  if (value === undefined) return {};
  return { scale: readScale(String(value)) ?? refuse({ code: "notScale", data: {} }) };
}

function readTimeOfDay(value: unknown, refuse: Refuse): { timeOfDay?: string } {
  if (value === undefined) return {};
  if (value === refuseDates) return { timeOfDay: value };
  const time = typeof value === "string" ? readClockTime(value) : undefined;
  return { timeOfDay: time ?? refuse({ code: "notTimeOfDay", data: {} }) };
}

function given<Name extends string, Value>(name: Name, value: Value | undefined): { [Key in Name]?: Value } {
  return (value === undefined ? {} : { [name]: value }) as { [Key in Name]?: Value };
}
