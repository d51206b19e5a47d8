import { maxMetadataDepth } from "@gatehouse-parking/contract";
import { isJson, memberTexts, TooManyMembers } from "@gatehouse-parking/json-text";
import type { RowProblem, RowRefusal } from "../refusals.js";
import { maxRowBytes } from "../table.js";
import type { FieldNames } from "./fields.js";

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

/**
 * More than anybody's records have. To take an object apart that fills five megabytes with small members takes a second, in
 * which a service that does it serves nobody.
 */
const maxMembers = 1_000;
/**
 * Of all objects of a record together. What lies in an object is read again when it is taken apart itself, so that without
 * this bound sixty levels of the largest record would be read sixty times, for ten seconds.
 */
const maxCharacters = 4 * maxRowBytes;

/** Why a record is refused, or a mapping with such a constant. */
export class NotTakenApart extends Error {
  override name = "NotTakenApart";
  readonly refusal: RowRefusal;

  constructor(refusal: RowRefusal, cause?: unknown) {
    super(refusal.code, { cause });
    this.refusal = refusal;
  }
}

/** Takes the objects of one record apart, as long as that keeps nobody waiting. Throws NotTakenApart beyond it. */
export class ObjectReader {
  #unread = maxCharacters;
  readonly #looked = new Map<Draft, Map<string, Draft | undefined>>();

  /** The members of an object, each as its text; undefined for another value. */
  membersOf(text: string): Map<string, string> | undefined {
    this.#count(text);
    try {
      return memberTexts(text, maxMembers);
    } catch (error) {
      if (!(error instanceof TooManyMembers)) throw error;
      throw new NotTakenApart({ code: "objectTooLarge", data: { maxMembers } }, error);
    }
  }

  /** The same of what a draft holds under a name and keeps as it is. However often it is asked for, it is taken apart once. */
  membersAt(draft: Draft, name: string): Draft | undefined {
    const held = draft.get(name);
    if (typeof held !== "string") return held;
    const looked = this.#looked.get(draft) ?? new Map<string, Draft | undefined>();
    this.#looked.set(draft, looked);
    if (!looked.has(name)) looked.set(name, this.membersOf(held));
    return looked.get(name);
  }

  /** The members of an object, which a cell may hold as JSON; then it is a string around the object. */
  objectIn(value: string | Draft): Draft | undefined {
    if (typeof value !== "string") return value;
    if (!value.startsWith('"')) return this.membersOf(value);
    this.#count(value);
    const inside = (JSON.parse(value) as string).trim();
    return isJsonObject(inside) ? this.membersOf(inside) : undefined;
  }

  #count(text: string): void {
    this.#unread -= text.length;
    if (this.#unread < 0) throw new NotTakenApart({ code: "objectsTooLarge", data: {} });
  }
}

export function isJsonObject(text: string): boolean {
  return text.startsWith("{") && isJson(text);
}

/** Metadata lies at most two levels below a record; what is nested deeper in it is refused wherever it is sent. */
export const maxPathLevels = maxMetadataDepth + 2;

/** A draft that is put together from values by name, and what was wrong with the names. */
export class Assembly {
  readonly draft: Draft = new Map();
  /** Names that no field has. */
  readonly unknown: string[] = [];
  /** Paths that were given twice, by objects or values that cannot both be kept. */
  readonly repeated: string[] = [];
  /** What else is wrong with the row. */
  readonly problems: RowProblem[] = [];
  readonly reader = new ObjectReader();
  readonly #names: FieldNames;
  /** Whether a JSON text counts as not given. */
  readonly isEmpty: (text: string) => boolean;

  constructor(names: FieldNames, isEmpty: (text: string) => boolean = () => false) {
    this.#names = names;
    this.isEmpty = isEmpty;
  }

  putNamed(name: string, text: string): void {
    const path = this.#names.pathOf(name);
    if (path === undefined) this.unknown.push(name);
    else this.put(path, text);
  }

  /** Puts a value at a path of the contract. The members of an object that is given whole are named ones again. */
  put(path: string, text: string): void {
    if (this.isEmpty(text)) return;
    const levels = path.split(".");
    if (levels.length > maxPathLevels) {
      const data = { path, maxDepth: maxMetadataDepth };
      this.problems.push({ path: "", code: "tooDeep", data });
      return;
    }
    const members = this.#names.isObject(path) ? this.reader.objectIn(text) : undefined;
    // The object itself is there even if it has no members.
    const conflict = place(this.draft, levels, members ? new Map() : text, this.reader);
    if (conflict !== undefined) this.repeated.push(conflict);
    for (const [name, member] of members ?? []) this.putNamed(`${path}.${name}`, textOf(member));
  }
}
