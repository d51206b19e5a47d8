import { skipSpace } from "./characters.js";
import { scanMembers, scanValue, type Span } from "./scan.js";

/** The positions of the members of the record and of its nested objects, by the name of the object; "" for the record. */
export type Members = Map<string, Map<string, Span>>;

/**
 * A parsed value with its text. The text preserves what parsing loses: the order and spelling of members, and numbers with
 * more digits than a double.
 */
export class JsonRecord {
  readonly value: unknown;
  readonly text: string;
  readonly depth: number;
  readonly #maxDepth: number;
  #members: Members | undefined;
  #hardNumbers: boolean | undefined;

  /**
   * `maxDepth`: the depth of a record that nests no deeper is not computed.
   * `members`: all relevant members, if they are known already.
   */
  constructor(value: unknown, text: string, depth: number, maxDepth: number, members?: Members) {
    this.value = value;
    this.text = text;
    this.depth = depth;
    this.#maxDepth = maxDepth;
    this.#members = members;
    if (members) this.#hardNumbers = true;
  }

  get isObject(): boolean {
    return isObject(this.value);
  }

  /** The exact text of the member at `path`, or undefined if there is none. */
  textAt(path: readonly string[]): string | undefined {
    const span = this.#spanOfOnly(path) ?? this.#spanAt(path);
    return span && this.text.slice(span.start, span.end);
  }

  /** The text of the number at `path`, if its parsed value may differ. */
  numberSpelling(path: readonly string[]): string | undefined {
    this.#hardNumbers ??= hardNumber.test(this.text);
    return this.#hardNumbers ? this.textAt(path) : undefined;
  }

  /** How deep the value at `path` nests; 0 if the whole record is within every limit. */
  depthAt(path: readonly string[]): number {
    return this.depth <= this.#maxDepth ? 0 : (this.#spanAt(path)?.depth ?? 0);
  }

  /**
   * The member at `path`, if its name occurs only once in the text, so that the members before it need no scan. A backslash
   * in the text could be part of an escaped name.
   */
  #spanOfOnly(path: readonly string[]): Span | undefined {
    if (this.#members || !hasMember(this.value, path)) return undefined;
    const name = `"${path.at(-1)}"`;
    const at = this.text.indexOf(name);
    if (at === -1 || this.text.includes(name, at + 1) || this.text.includes("\\")) return undefined;
    const colonAt = skipSpace(this.text, at + name.length);
    return scanValue(this.text, skipSpace(this.text, colonAt + 1));
  }

  /** Paths have one name, or two for a member of an object that is nested in the record. */
  #spanAt(path: readonly string[]): Span | undefined {
    const [outer, inner] = path as [string, string | undefined];
    return inner === undefined ? this.#membersOf("")?.get(outer) : this.#membersOf(outer)?.get(inner);
  }

  #membersOf(name: string): Map<string, Span> | undefined {
    this.#members ??= new Map();
    let members = this.#members.get(name);
    if (!members) {
      const at = name === "" ? 0 : this.#membersOf("")?.get(name)?.start;
      if (at === undefined || this.text[at] !== "{") return undefined;
      members = scanMembers(this.text, at);
      this.#members.set(name, members);
    }
    return members;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function hasMember(value: unknown, path: readonly string[]): boolean {
  let object = value;
  for (const name of path) {
    if (!isObject(object) || !Object.hasOwn(object, name)) return false;
    object = object[name];
  }
  return true;
}

/**
 * A number with 16 or more digits or an exponent: the only ones that a double may not hold as written. It may also
 * match inside a string, which costs a second look and nothing else.
 */
const hardNumber = /:\s*-?(?:[\d.]{16}|[\d.]+[eE])/;
