import { isObject } from "@gatehouse-parking/contract";
import { MappingError } from "../refusals.js";

/** The content of a mapping file, or a part of one. */
export type MappingContent = Readonly<Record<string, unknown>>;

/** Lists that a patch adds to. Other lists are replaced. */
const growing: ReadonlySet<string> = new Set(["leaveOut", "empty", "true", "false"]);
/** Limits the time of merging many patches. */
const maxItems = 10_000;

/**
 * Merges the patches of answers. Those that say where a column goes come first, because the others are about all of its
 * targets.
 */
export function mergePatches(content: MappingContent, patches: readonly MappingContent[]): MappingContent {
  const isPlacing = ({ columns }: MappingContent) =>
    isObject(columns) &&
    Object.values(columns).some((target) => !isObject(target) || target["to"] !== undefined);
  const ordered = [...patches.filter(isPlacing), ...patches.filter((patch) => !isPlacing(patch))];
  let merged = content;
  for (const patch of ordered) merged = mergePatch(merged, patch);
  return merged;
}

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

/** A patch of a column with several targets changes all that it fits. A list adds its targets. */
function mergeTarget(held: unknown, patch: unknown): unknown {
  if (Array.isArray(patch)) return addTargets(held, patch);
  if (!isObject(patch)) return patch;
  if (Array.isArray(held)) {
    const shared = Object.fromEntries(Object.entries(patch).filter(([name]) => ofAnyTarget.has(name)));
    return held.map((target: unknown) => mergeTarget(target, isOfItsOwn(target) ? shared : patch));
  }
  const target = typeof held === "string" ? { to: held } : isObject(held) ? held : {};
  const members = Object.entries(patch).map(([name, value]) => [
    name,
    mergeMember(name, target[name], value),
  ]);
  return { ...target, ...Object.fromEntries(members) };
}

/** Among several targets, an id made of columns and a flag made of words take no formats, amounts or meanings of words. */
function isOfItsOwn(target: unknown): boolean {
  return (
    isObject(target) && ["separator", "hash", "prefix", "true"].some((name) => target[name] !== undefined)
  );
}
const ofAnyTarget: ReadonlySet<string> = new Set(["to", "empty", "trim"]);

/** Targets that earlier patches have added or changed stay, except for a place in the metadata. */
function addTargets(held: unknown, added: readonly unknown[]): unknown {
  const targets = new Map(listOf(held).map((target) => [pathOf(target), target]));
  const paths = new Set(added.map(pathOf));
  const kept = [...targets].filter(([path]) => !paths.has(path) && !path.startsWith("metadata."));
  const merged = added.map((target) => {
    const known = targets.get(pathOf(target));
    return isObject(known) ? { ...(isObject(target) ? target : {}), ...known } : target;
  });
  return [...kept.map(([, target]) => target), ...merged];
}

function listOf(targets: unknown): unknown[] {
  return targets === undefined || targets === null ? [] : [targets].flat();
}

function pathOf(target: unknown): string {
  return String(isObject(target) ? target["to"] : target);
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
