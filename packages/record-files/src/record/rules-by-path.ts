import { FieldNames, type FieldTree } from "./fields.js";
import type { Mapping } from "./mapping.js";
import type { Rules } from "./rules.js";

/** How the values of a field are written, and what a date without a time means. */
export interface FieldRules extends Rules {
  timeOfDay?: string | undefined;
  /** The field that a time is never before. */
  after?: string | undefined;
}

/** The rules of each path: those of its column override those of the mapping. */
export function rulesByPath(mapping: Mapping, tree: FieldTree): (path: string) => FieldRules {
  const names = new FieldNames(tree);
  const forAll = mapping.rules ?? {};
  const own = new Map<string, FieldRules>();
  for (const { to, rules, timeOfDay, after } of [...mapping.columns.values()].flat()) {
    const path = names.pathOf(to);
    if (path !== undefined) own.set(path, { ...forAll, ...rules, timeOfDay, after });
  }
  return (path) => own.get(path) ?? forAll;
}
