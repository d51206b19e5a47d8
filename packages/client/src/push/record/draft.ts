/**
 * A record on its way from the file to the wire. What it holds are JSON texts, never parsed values, so that digits,
 * order and spelling stay as they were wherever nothing has to be converted.
 */
export type Draft = Map<string, string | Draft>;

/** Sets the value at a path; the objects on the way are made, or taken apart if they were given whole. */
export function place(draft: Draft, path: readonly string[], text: string): void {
  const [name = "", ...rest] = path;
  if (rest.length === 0) {
    draft.set(name, text);
    return;
  }
  const held = draft.get(name);
  const given = typeof held === "string" ? membersOf(held) : held;
  const inner: Draft = given ?? new Map();
  draft.set(name, inner);
  place(inner, rest, text);
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

/** The members of an object, each as its text; undefined if the text is no object. The text must be valid JSON. */
export function membersOf(text: string): Draft | undefined {
  const members: Draft = new Map();
  let at = skipSpace(text, 0);
  if (text[at] !== "{") return undefined;
  at = skipSpace(text, at + 1);
  while (text[at] !== "}") {
    const nameEnd = endOfString(text, at);
    const name = JSON.parse(text.slice(at, nameEnd)) as string;
    const start = skipSpace(text, skipSpace(text, nameEnd) + 1);
    const end = endOfValue(text, start);
    members.set(name, text.slice(start, end));
    at = skipSpace(text, end);
    if (text[at] === ",") at = skipSpace(text, at + 1);
  }
  return members;
}

function skipSpace(text: string, at: number): number {
  while (text[at] === " " || text[at] === "\n" || text[at] === "\r" || text[at] === "\t") at += 1;
  return at;
}

function endOfString(text: string, at: number): number {
  for (at += 1; text[at] !== '"'; at += 1) {
    if (text[at] === "\\") at += 1;
  }
  return at + 1;
}

function endOfValue(text: string, at: number): number {
  if (text[at] === '"') return endOfString(text, at);
  if (text[at] !== "{" && text[at] !== "[") {
    while (at < text.length && !/[\s,}\]]/.test(text[at] as string)) at += 1;
    return at;
  }
  let depth = 0;
  do {
    const character = text[at];
    if (character === '"') at = endOfString(text, at) - 1;
    else if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") depth -= 1;
    at += 1;
  } while (depth > 0);
  return at;
}
