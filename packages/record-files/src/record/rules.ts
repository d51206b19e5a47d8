import { isObject } from "@gatehouse-parking/contract";
import type { MappingRefusal } from "../refusals.js";
import { readNumberFormat, type NumberFormat } from "./conversions/number-format.js";
import { readTimeFormat, type TimeFormat } from "./conversions/time-format.js";
import { FieldNames, type FieldTree } from "./fields.js";
import type { Mapping } from "./mapping.js";

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

/** Throws what is wrong. */
export type Refuse = (refusal: MappingRefusal) => never;

export const ruleNames = ["time", "number", "true", "false", "empty", "trim"] as const;

/** Reads the rules of a mapping file. */
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

function wordsOf(value: unknown, member: string, refuse: Refuse): ReadonlySet<string> {
  const words = [value].flat();
  if (isObject(value) || words.some((word) => typeof word !== "string"))
    refuse({ code: "notWords", data: { member } });
  return new Set((words as string[]).map(plainWord));
}

/** How the values of each path are written: as its column says, or else as the mapping says of all. */
export function rulesByPath(mapping: Mapping, tree: FieldTree): (path: string) => Rules {
  const names = new FieldNames(tree);
  const forAll = mapping.rules ?? {};
  const own = new Map<string, Rules>();
  for (const target of mapping.columns.values()) {
    const path = target?.rules && names.pathOf(target.to);
    if (path) own.set(path, { ...forAll, ...target.rules });
  }
  return (path) => own.get(path) ?? forAll;
}
