import { isJson, memberTexts } from "@gatehouse-parking/json-text";

/**
 * A record on its way from the file to the wire. What it holds are JSON texts, never parsed values, so that digits,
 * order and spelling stay as they were wherever nothing has to be converted.
 */
export type Draft = Map<string, string | Draft>;

/**
 * More than anybody's records have. To take an object apart that fills five megabytes with small members takes a second, in
 * which a service that does it serves nobody.
 */
const maxMembers = 1_000;

/** The members of an object, each as its text; undefined for another value. Throws TooManyMembers. */
export function membersOf(text: string): Map<string, string> | undefined {
  return memberTexts(text, maxMembers);
}

/**
 * Puts a value where nothing is yet. Objects are merged, whether they were given whole or member by member. Returns the
 * path that holds something already, and then does not put the value there.
 */
export function place(draft: Draft, path: readonly string[], value: string | Draft): string | undefined {
  const [name = "", ...rest] = path;
  const held = draft.get(name);
  if (held === undefined && rest.length === 0) {
    draft.set(name, value);
    return undefined;
  }
  const inner = held === undefined ? new Map() : objectIn(held);
  const members = rest.length > 0 ? [[rest, value] as const] : membersWithPaths(value);
  if (!inner || !members) return name;
  draft.set(name, inner);
  for (const [innerPath, member] of members) {
    const conflict = place(inner, innerPath, member);
    if (conflict !== undefined) return `${name}.${conflict}`;
  }
  return undefined;
}

function membersWithPaths(value: string | Draft): (readonly [string[], string | Draft])[] | undefined {
  const members = objectIn(value);
  return members && [...members].map(([name, member]) => [[name], member] as const);
}

/** Adds what the draft does not have. Whatever it has stays, be it null or no object where members are to be added. */
export function fill(draft: Draft, additions: Draft): void {
  for (const [name, addition] of additions) {
    const held = draft.get(name);
    if (held === undefined) {
      // As text, because the next draft gets the same addition.
      draft.set(name, textOf(addition));
      continue;
    }
    const inner = objectIn(held);
    const members = objectIn(addition);
    if (!inner || !members) continue;
    fill(inner, members);
    draft.set(name, inner);
  }
}

/** Removes the value at a path and returns it. */
export function take(draft: Draft, path: readonly string[]): string | undefined {
  const [name = "", ...rest] = path;
  // A name may contain dots itself; then it is found as it is.
  const whole = path.join(".");
  const found = draft.get(whole);
  if (found !== undefined) {
    draft.delete(whole);
    return textOf(found);
  }
  if (rest.length === 0) return undefined;
  const held = draft.get(name);
  const inner = typeof held === "string" ? membersOf(held) : held;
  if (!inner) return undefined;
  const text = take(inner, rest);
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

/** The members of an object, which a cell may hold as JSON; then it is a string around the object. */
export function objectIn(value: string | Draft): Draft | undefined {
  if (typeof value !== "string") return value;
  if (!value.startsWith('"')) return membersOf(value);
  const inside = (JSON.parse(value) as string).trim();
  return isJsonObject(inside) ? membersOf(inside) : undefined;
}

export function isJsonObject(text: string): boolean {
  return text.startsWith("{") && isJson(text);
}
