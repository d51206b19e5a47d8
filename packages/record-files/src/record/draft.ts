import type { ObjectReader } from "./object-reader.js";

/**
 * A record on its way from the file to the wire. What it holds are JSON texts, never parsed values, so that digits,
 * order and spelling stay as they were wherever nothing has to be converted.
 */
export type Draft = Map<string, string | Draft>;

/**
 * Puts a value where nothing is yet. Objects are merged, whether they were given whole or member by member. Returns the
 * path that holds something already, and then does not put the value there.
 */
export function place(
  draft: Draft,
  path: readonly string[],
  value: string | Draft,
  reader: ObjectReader,
): string | undefined {
  const [name = "", ...rest] = path;
  const held = draft.get(name);
  if (held === undefined && rest.length === 0) {
    draft.set(name, value);
    return undefined;
  }
  const inner = held === undefined ? new Map() : reader.objectIn(held);
  const members = rest.length > 0 ? [[rest, value] as const] : membersWithPaths(value, reader);
  if (!inner || !members) return name;
  draft.set(name, inner);
  for (const [innerPath, member] of members) {
    const conflict = place(inner, innerPath, member, reader);
    if (conflict !== undefined) return `${name}.${conflict}`;
  }
  return undefined;
}

function membersWithPaths(
  value: string | Draft,
  reader: ObjectReader,
): (readonly [string[], string | Draft])[] | undefined {
  const members = reader.objectIn(value);
  return members && [...members].map(([name, member]) => [[name], member] as const);
}

/** Adds what the draft does not have. Whatever it has stays, be it null or no object where members are to be added. */
export function fill(draft: Draft, additions: Draft, reader: ObjectReader): void {
  for (const [name, addition] of additions) {
    const held = draft.get(name);
    if (held === undefined) {
      // As text, because the next draft gets the same addition.
      draft.set(name, textOf(addition));
      continue;
    }
    const inner = reader.objectIn(held);
    const members = reader.objectIn(addition);
    if (!inner || !members) continue;
    fill(inner, members, reader);
    draft.set(name, inner);
  }
}

/** Removes the value at a path and returns it. */
export function take(draft: Draft, path: readonly string[], reader: ObjectReader): string | undefined {
  const [name = "", ...rest] = path;
  // A name may contain dots itself; then it is found as it is.
  const whole = path.join(".");
  const found = draft.get(whole);
  if (found !== undefined) {
    draft.delete(whole);
    return textOf(found);
  }
  if (rest.length === 0) return undefined;
  const inner = reader.membersAt(draft, name);
  if (!inner) return undefined;
  const text = take(inner, rest, reader);
  if (text !== undefined) {
    if (inner.size === 0) draft.delete(name);
    else draft.set(name, inner);
  }
  return text;
}

export function textOf(value: string | Draft): string {
  if (typeof value === "string") return value;
  const members = [...value].map(([name, member]) => `${JSON.stringify(name)}:${textOf(member)}`);
  return `{${members.join(",")}}`;
}
