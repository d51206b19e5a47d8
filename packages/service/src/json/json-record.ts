import { isObject, maxMetadataDepth, type RecordSource } from "@gatehouse/contract";
import { scanMembers, scanValue, type Span } from "./scan.js";

/**
 * A parsed object together with its text. The value is what code looks at; the text is what is kept where the value
 * would lose something: metadata (digits of numbers, order and spelling) and amounts with more digits than a double.
 */
export class JsonRecord implements RecordSource {
  readonly value: unknown;
  readonly text: string;
  /** How deep the whole record nests. */
  readonly depth: number;
  #members: Map<string, Map<string, Span>> | undefined;
  #hardNumbers: boolean | undefined;

  constructor(value: unknown, text: string, depth: number) {
    this.value = value;
    this.text = text;
    this.depth = depth;
  }

  get isObject(): boolean {
    return isObject(this.value);
  }

  /** The exact text of the member at `path`, or undefined if there is none. */
  textAt(path: readonly string[]): string | undefined {
    const name = path.at(-1) as string;
    const span = this.#membersOf(path.slice(0, -1))?.get(name);
    return span && this.text.slice(span.start, span.end);
  }

  /** How the number at `path` is spelled, if its parsed value may differ from it. */
  numberSpelling(path: readonly string[]): string | undefined {
    this.#hardNumbers ??= hardNumber.test(this.text);
    return this.#hardNumbers ? this.textAt(path) : undefined;
  }

  depthAt(path: readonly string[]): number {
    // Whatever lies inside a record that is no deeper than this is within the limit, so nothing needs a look.
    if (this.depth <= maxMetadataDepth) return 0;
    return this.#membersOf(path.slice(0, -1))?.get(path.at(-1) as string)?.depth ?? 0;
  }

  #membersOf(path: readonly string[]): Map<string, Span> | undefined {
    const key = path.join(".");
    this.#members ??= new Map();
    let members = this.#members.get(key);
    if (members) return members;
    const at = path.length === 0 ? 0 : this.#membersOf(path.slice(0, -1))?.get(path.at(-1) as string)?.start;
    if (at === undefined || this.text[at] !== "{") return undefined;
    members = new Map();
    const found = members;
    scanMembers(this.text, at, (name, valueAt) => {
      const value = scanValue(this.text, valueAt);
      found.set(name, value);
      return value.end;
    });
    this.#members.set(key, members);
    return members;
  }
}

/**
 * A number with 16 or more digits or an exponent: the only ones that a double may not hold as written. It may also
 * match inside a string, which costs a second look and nothing else.
 */
const hardNumber = /:\s*-?(?:[\d.]{16}|[\d.]+[eE])/;
