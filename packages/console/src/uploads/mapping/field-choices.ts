import type { ImportResourceName } from "@gatehouse-parking/contract";
import { kinds } from "../../records/kinds.js";
import { pathsOf, requiredPaths } from "./choices.js";

const objectNames: Readonly<Record<string, string>> = {
  account: "Its account",
  contact: "Its contact",
  vehicle: "Its vehicle",
  subscription: "Its subscription",
};

/** The fields of the contract, those that every record needs first, and those of its account, contact and so on apart. */
export function fieldChoices(resource: ImportResourceName, column?: string) {
  const paths = pathsOf(resource);
  const required = requiredPaths(resource);
  const groups = new Map<string, string[]>([["Every record needs", [...required]]]);
  for (const path of paths) {
    if (required.includes(path)) continue;
    const [object = ""] = path.split(".");
    const group =
      path.includes(".") || objectNames[object]
        ? (objectNames[object] ?? kinds[resource].plural)
        : kinds[resource].plural;
    groups.set(group, [...(groups.get(group) ?? []), path]);
  }
  const choices = [...groups].map(([group, items]) => ({ group, items }));
  return column === undefined
    ? choices
    : [...choices, { group: "No field of its own", items: [metadataPath(column)] }];
}

/** Where a column goes that is no field; a dot would make an object of it. */
export function metadataPath(column: string): string {
  return `metadata.${column.replaceAll(".", " ")}`;
}
