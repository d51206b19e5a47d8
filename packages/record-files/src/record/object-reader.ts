import { isJson, memberTexts, TooManyMembers } from "@gatehouse-parking/json-text";
import { maxRowBytes } from "../table.js";
import type { Draft } from "./draft.js";

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
      const most = maxMembers.toLocaleString("en");
      throw new NotTakenApart(`An object of more than ${most} members is not taken apart`, { cause: error });
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
    if (this.#unread < 0)
      throw new NotTakenApart(
        "The objects in the record are too large to be taken apart as often as the names with dots and the mapping ask for",
      );
  }
}

export function isJsonObject(text: string): boolean {
  return text.startsWith("{") && isJson(text);
}
