import { isObject } from "@gatehouse-parking/contract";
import type { MappingRefusal } from "../refusals.js";
import { cleanText } from "../rows/cell-text.js";
import { readNumberFormat, type NumberFormat } from "./conversions/number-format.js";
import { readTimeFormat, type TimeFormat } from "./conversions/time-format.js";

/** Declared formats of a column or of all columns. Other values use the format of the contract. */
export interface Rules {
  time?: readonly TimeFormat[];
  number?: NumberFormat;
  true?: ReadonlySet<string>;
  false?: ReadonlySet<string>;
  /** Words that mean an empty cell. */
  empty?: ReadonlySet<string>;
  /** Whether to trim spaces around text. */
  trim?: boolean;
}

/** Words are compared without case, surrounding spaces and invisible characters. */
export function plainWord(text: string): string {
  return cleanText(text).toLowerCase();
}

/** Throws an error for the problem. */
export type Refuse = (refusal: MappingRefusal) => never;

export function readChoice<Choice extends string>(
  member: string,
  value: unknown,
  choices: readonly Choice[],
  refuse: Refuse,
): Choice | undefined {
  if (value === undefined) return undefined;
  return choices.find((known) => known === value) ?? refuse({ code: "notOneOf", data: { member, choices } });
}

export const ruleNames = ["time", "number", "true", "false", "empty", "trim"] as const;

/** Parses the rules of a mapping file. */
export function readRules(content: Record<string, unknown>, refuse: Refuse): Rules {
  const rules: Rules = {};
  const { time, number, trim } = content;
  if (time !== undefined)
    rules.time = [time]
      .flat()
      .map(
        (pattern) =>
          (typeof pattern === "string" ? readTimeFormat(pattern) : undefined) ??
          refuse({ code: "notTimePattern", data: { pattern } }),
      );
  if (number !== undefined)
    rules.number =
      (typeof number === "string" ? readNumberFormat(number) : undefined) ??
      refuse({ code: "notNumberExample", data: {} });
  for (const name of ["true", "false", "empty"] as const)
    if (content[name] !== undefined) rules[name] = wordsOf(content[name], name, refuse);
  if (trim !== undefined)
    rules.trim =
      typeof trim === "boolean" ? trim : refuse({ code: "notTrueOrFalse", data: { member: "trim" } });
  const word = [...(rules.true ?? [])].find((one) => rules.false?.has(one));
  if (word !== undefined) refuse({ code: "wordTwice", data: { word } });
  return rules;
}

export function wordsOf(value: unknown, member: string, refuse: Refuse): ReadonlySet<string> {
  const words = [value].flat();
  if (isObject(value) || words.some((word) => typeof word !== "string"))
    refuse({ code: "notWords", data: { member } });
  return new Set((words as string[]).map(plainWord));
}
