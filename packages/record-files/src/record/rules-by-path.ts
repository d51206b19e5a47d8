import { FieldNames } from "./field-names.js";
import type { FieldTree } from "./fields.js";
import type { Mapping } from "./mapping.js";
import type { Rules } from "./rules.js";

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
