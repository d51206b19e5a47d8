import { isStorableText, isWithinLength } from "@gatehouse-parking/contract";
import { createHash } from "node:crypto";

/** Something a person typed into the command line or the console is not acceptable. The message is meant for them. */
export class InvalidInput extends Error {
  override name = "InvalidInput";

  /** What is wrong, one by one, where the message is a headline with several problems below it. */
  readonly problems: string[];

  constructor(message: string, problems: string[] = [message]) {
    super(message);
    this.problems = problems;
  }
}

/** What a person named does not exist, or not in this organization. */
export class NotFoundError extends InvalidInput {
  override name = "NotFoundError";
}

export function requireText(field: string, value: string, maxLength: number): string {
  if (value.trim() === "") throw new InvalidInput(`${field} must not be empty`);
  if (!isWithinLength(value, maxLength))
    throw new InvalidInput(`${field} must have at most ${maxLength} characters`);
  if (!isStorableText(value))
    throw new InvalidInput(`${field} must not contain U+0000 or half of a surrogate pair`);
  return value;
}

/** The state of things does not allow what a person asks for. The message is meant for them. */
export class ConflictError extends Error {
  override name = "ConflictError";
}

/** Somebody saves what they edited in an older version than the one that is stored. The message is meant for them. */
export class VersionConflictError extends Error {
  override name = "VersionConflictError";
}

/**
 * Names the state that somebody looks at, so that they can say with their changes what these are changes of. It is made
 * of the values, not counted: whoever changes them, be it the command line or an older release, makes another version.
 */
export function versionOf(values: object): string {
  const inOrder = Object.entries(values).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(inOrder)).digest("base64url");
}

/** Throws if the changes are ones of another version. Without one, as on the command line, they count in any case. */
export function requireVersion(what: string, stored: string, wanted: string | undefined): void {
  if (wanted === undefined || wanted === stored) return;
  throw new VersionConflictError(`${what} was changed since you opened it. Nothing of yours was saved`);
}
