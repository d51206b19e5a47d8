import { isObject } from "@gatehouse-parking/contract";
import { numberExamples, readNumberFormat, type NumberFormat } from "./conversions/number-format.js";
import { readTimeFormat, timePatternHelp, type TimeFormat } from "./conversions/time-format.js";

/** How the values of a column, or of all columns, are written. What is not said is read as the contract writes it. */
export interface Rules {
  time?: readonly TimeFormat[];
  number?: NumberFormat;
  true?: ReadonlySet<string>;
  false?: ReadonlySet<string>;
  /** What counts as an empty cell. */
  empty?: ReadonlySet<string>;
  /** Whether spaces around text are dropped. */
  trim?: boolean;
}

/** Words are compared without case and without spaces around them. */
export function plainWord(text: string): string {
  return text.trim().toLowerCase();
}

export const ruleNames = ["time", "number", "true", "false", "empty", "trim"] as const;

/** Reads the rules of a mapping file; `fail` is told what is wrong with which member. */
export function readRules(content: Record<string, unknown>, fail: (problem: string) => never): Rules {
  const rules: Rules = {};
  const { time, number, trim } = content;
  if (time !== undefined) rules.time = [time].flat().map((pattern) => timeFormat(pattern, fail));
  if (number !== undefined)
    rules.number =
      (typeof number === "string" ? readNumberFormat(number) : undefined) ??
      fail(`"number" must show how the file writes 1234.50, such as ${numberExamples}`);
  for (const name of ["true", "false", "empty"] as const)
    if (content[name] !== undefined) rules[name] = wordsOf(content[name], name, fail);
  if (trim !== undefined)
    rules.trim = typeof trim === "boolean" ? trim : fail('"trim" must be true or false');
  const both = [...(rules.true ?? [])].find((word) => rules.false?.has(word));
  if (both !== undefined) fail(`"true" and "false" both list "${both}"`);
  return rules;
}

function timeFormat(pattern: unknown, fail: (problem: string) => never): TimeFormat {
  return (
    (typeof pattern === "string" ? readTimeFormat(pattern) : undefined) ??
    fail(`"time" must be ${timePatternHelp}, not ${JSON.stringify(pattern)}`)
  );
}

function wordsOf(value: unknown, name: string, fail: (problem: string) => never): ReadonlySet<string> {
  const words = [value].flat();
  if (isObject(value) || words.some((word) => typeof word !== "string"))
    fail(`"${name}" must be a word or a list of words`);
  return new Set((words as string[]).map(plainWord));
}
