import { maxMetadataDepth } from "@gatehouse-parking/contract";
import { isJson, memberTexts, TooManyMembers } from "@gatehouse-parking/json-text";
import type { RowProblem, RowRefusal } from "../refusals.js";
import { maxRowBytes } from "../table.js";
import type { FieldNames } from "./fields.js";

/**
 * A record under construction. Values are JSON texts, never parsed, so that digits, order and spelling are
 * preserved wherever nothing is converted.
 */
export type RecordTree = Map<string, string | RecordTree>;

/**
 * Sets a value unless the path is occupied, merging objects. Returns the occupied path and leaves it
 * unchanged.
 */
export function place(
  draft: RecordTree,
  path: readonly string[],
  value: string | RecordTree,
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
  value: string | RecordTree,
  reader: ObjectReader,
): (readonly [string[], string | RecordTree])[] | undefined {
  const members = reader.objectIn(value);
  return members && [...members].map(([name, member]) => [[name], member] as const);
}

/** Adds missing members. Existing values stay, even null. */
export function fill(draft: RecordTree, additions: RecordTree, reader: ObjectReader): void {
  for (const [name, addition] of additions) {
    const held = draft.get(name);
    if (held === undefined) {
      // Stored as text, because the next record gets the same addition.
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
export function take(draft: RecordTree, path: readonly string[], reader: ObjectReader): string | undefined {
  const [name = "", ...rest] = path;
  // A name may contain dots; the literal name takes precedence.
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

export function textOf(value: string | RecordTree): string {
  if (typeof value === "string") return value;
  const members = [...value].map(([name, member]) => `${JSON.stringify(name)}:${textOf(member)}`);
  return `{${members.join(",")}}`;
}

/**
 * More than any real record has. Parsing an object that fills five megabytes with small members takes a
 * second, during which the service would not respond.
 */
const maxMembers = 1_000;
/**
 * For all objects of a record. Nested objects are read once per level, so without this limit the largest
 * record with sixty levels would be read sixty times, for ten seconds.
 */
const maxCharacters = 4 * maxRowBytes;

/** A record, or a constant of a mapping, is too large to be parsed. */
export class ObjectLimitError extends Error {
  override name = "ObjectLimitError";
  readonly refusal: RowRefusal;

  constructor(refusal: RowRefusal, cause?: unknown) {
    super(refusal.code, { cause });
    this.refusal = refusal;
  }
}

/** Parses the objects of one record within these limits. Throws ObjectLimitError beyond them. */
export class ObjectReader {
  #unread = maxCharacters;
  readonly #looked = new Map<RecordTree, Map<string, RecordTree | undefined>>();

  /** The members of an object as texts; undefined for other values. */
  membersOf(text: string): Map<string, string> | undefined {
    this.#count(text);
    try {
      return memberTexts(text, maxMembers);
    } catch (error) {
      if (!(error instanceof TooManyMembers)) throw error;
      throw new ObjectLimitError({ code: "objectTooLarge", data: { maxMembers } }, error);
    }
  }

  /** The members of an object inside a draft, which stays unchanged. The result is cached. */
  membersAt(draft: RecordTree, name: string): RecordTree | undefined {
    const held = draft.get(name);
    if (typeof held !== "string") return held;
    const looked = this.#looked.get(draft) ?? new Map<string, RecordTree | undefined>();
    this.#looked.set(draft, looked);
    if (!looked.has(name)) looked.set(name, this.membersOf(held));
    return looked.get(name);
  }

  /** The members of an object. A cell may contain the object as a JSON string. */
  objectIn(value: string | RecordTree): RecordTree | undefined {
    if (typeof value !== "string") return value;
    if (!value.startsWith('"')) return this.membersOf(value);
    this.#count(value);
    const inside = (JSON.parse(value) as string).trim();
    return isJsonObject(inside) ? this.membersOf(inside) : undefined;
  }

  #count(text: string): void {
    this.#unread -= text.length;
    if (this.#unread < 0) throw new ObjectLimitError({ code: "objectsTooLarge", data: {} });
  }
}

export function isJsonObject(text: string): boolean {
  return text.startsWith("{") && isJson(text);
}

/** Metadata is at most two levels below a record, and deeper nesting is rejected. */
export const maxPathLevels = maxMetadataDepth + 2;

/** Builds a record from named values and collects problems with the names. */
export class RecordBuilder {
  readonly draft: RecordTree = new Map();
  /** Unknown names. */
  readonly unknown: string[] = [];
  /** Paths that were set twice with values that cannot be merged. */
  readonly repeated: string[] = [];
  /** Other problems of the row. */
  readonly problems: RowProblem[] = [];
  readonly reader = new ObjectReader();
  readonly #names: FieldNames;
  /** Whether a JSON text counts as an empty value. */
  readonly isEmpty: (text: string) => boolean;

  constructor(names: FieldNames, isEmpty: (text: string) => boolean = () => false) {
    this.#names = names;
    this.isEmpty = isEmpty;
  }

  putNamed(name: string, text: string): void {
    const path = this.#names.pathOf(name);
    // A member without a value carries nothing that could be lost.
    if (path === undefined && text === "null") return;
    if (path === undefined) this.unknown.push(name);
    else this.put(path, text);
  }

  /** Sets a value at a path of the contract. The members of a whole object are resolved by name. */
  put(path: string, text: string): void {
    if (this.isEmpty(text)) return;
    const levels = path.split(".");
    if (levels.length > maxPathLevels) {
      const data = { path, maxDepth: maxMetadataDepth };
      this.problems.push({ path: "", code: "tooDeep", data });
      return;
    }
    const members = this.#names.isObject(path) ? this.reader.objectIn(text) : undefined;
    // An empty object still creates the object.
    const conflict = place(this.draft, levels, members ? new Map() : text, this.reader);
    if (conflict !== undefined) this.repeated.push(conflict);
    for (const [name, member] of members ?? []) this.putNamed(`${path}.${name}`, textOf(member));
  }
}
