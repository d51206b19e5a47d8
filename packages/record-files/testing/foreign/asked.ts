import { importResources, isObject } from "@gatehouse-parking/contract";
import type { Facts } from "./export-folder.js";
import type { MappingContent, Question } from "./person.js";

/** Whether a question names the column, or the field that the column goes to. */
export function asksAbout(
  { id, data }: Question,
  columns: readonly string[],
  paths: readonly string[],
): boolean {
  const named = new Set(textsIn(data));
  const about = id.slice(id.indexOf(":") + 1);
  return [...columns, ...paths].some((name) => named.has(name) || about === name);
}

/** All texts of a question's data, at any depth. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isObject(value) ? Object.values(value).flatMap(textsIn) : [];
}

/** The columns that decide about a field: by the facts, and by the mapping. */
export function columnsOf(path: string, facts: Facts, content: MappingContent): string[] {
  const field = path === "" ? importResources[facts.resource].keyField : path;
  const byFacts = Object.entries(facts.columns ?? {})
    .filter(([, paths]) => paths.includes(field))
    .map(([name]) => name);
  const byMapping = Object.entries(isObject(content["columns"]) ? content["columns"] : {})
    .filter(([, target]) =>
      [target].flat().some((one) => pathOf(one) === field || field.startsWith(`${pathOf(one)}.`)),
    )
    .flatMap(([name, target]) => [name, ...[target].flat().flatMap(joinedColumns)]);
  return [...new Set([...byFacts, ...byMapping])];
}

function pathOf(target: unknown): string {
  return typeof target === "string" ? target : isObject(target) ? String(target["to"]) : "";
}

function joinedColumns(target: unknown): string[] {
  return isObject(target) ? [target["with"] ?? []].flat().map(String) : [];
}
