import { isObject } from "@gatehouse-parking/contract";
import { MappingError } from "../refusals.js";

/** The content of a mapping file, or a part of one. */
export type MappingContent = Readonly<Record<string, unknown>>;

/** Lists that a patch adds to. Other lists are replaced. */
const growing: ReadonlySet<string> = new Set(["leaveOut", "empty", "true", "false"]);
/** Limits the time of merging many patches. */
const maxItems = 10_000;

/**
 * Merges a part of a mapping file into another. Columns, constants and values are merged by name, filters and
 * words are added, and everything else is replaced.
 */
export function mergePatch(content: MappingContent, patch: MappingContent): MappingContent {
  const merged = new Map(Object.entries(content));
  for (const [name, value] of Object.entries(patch)) {
    const held = merged.get(name);
    if (name === "columns" && isObject(value)) merged.set(name, mergeColumns(held, value));
    else merged.set(name, mergeMember(name, held, value));
  }
  return Object.fromEntries(merged);
}

function mergeColumns(held: unknown, patch: MappingContent): MappingContent {
  const columns = new Map(Object.entries(isObject(held) ? held : {}));
  for (const [column, target] of Object.entries(patch))
    columns.set(column, mergeTarget(columns.get(column), target));
  return Object.fromEntries(columns);
}

/** A patch of a column with several targets changes all of them. */
function mergeTarget(held: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  if (Array.isArray(held)) return held.map((target: unknown) => mergeTarget(target, patch));
  const target = typeof held === "string" ? { to: held } : isObject(held) ? held : {};
  const members = Object.entries(patch).map(([name, value]) => [
    name,
    mergeMember(name, target[name], value),
  ]);
  return { ...target, ...Object.fromEntries(members) };
}

/** Objects such as constants and values are merged by name. */
function mergeMember(name: string, held: unknown, value: unknown): unknown {
  if (isObject(held) && isObject(value)) return { ...held, ...value };
  if (!growing.has(name) || held === undefined) return value;
  const items: unknown[] = [held, value].flat();
  if (items.length > maxItems)
    throw new MappingError({ code: "listTooLong", data: { member: name, maxItems } });
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}
