import { isStorableText, isWithinLength } from "@gatehouse-parking/contract";
import { consoleRefusals, type ConsoleErrorCode } from "@gatehouse-parking/contract/console";
import { createHash } from "node:crypto";

/**
 * The console or a command refuses what a person asks for. The message and the problems are meant for them. The console
 * answers with the row of its table of errors that `code` names.
 */
export class UserError extends Error {
  override name = "UserError";
  readonly code: ConsoleErrorCode;
  /** One by one, where the message is a headline. Empty: the code says everything. */
  readonly problems: readonly string[];
  readonly retryAfter: number | undefined;

  constructor(
    code: ConsoleErrorCode,
    problems: readonly string[] = [],
    { message, retryAfter, cause }: { message?: string; retryAfter?: number; cause?: unknown } = {},
  ) {
    super(message ?? problems[0] ?? consoleRefusals[code].message, { cause });
    this.code = code;
    this.problems = problems;
    this.retryAfter = retryAfter;
  }
}

export function isUserError(error: unknown, ...codes: ConsoleErrorCode[]): error is UserError {
  return error instanceof UserError && codes.includes(error.code);
}

/** What a person typed or sent is not acceptable. */
export function invalidInput(message: string, problems: readonly string[] = [message]): UserError {
  return new UserError("invalid", problems, { message });
}

/** What a person named does not exist, or not in this organization. */
export function notFoundError(message: string): UserError {
  return new UserError("notFound", [message]);
}

/** The present state does not allow what a person asks for. */
export function conflictError(message: string): UserError {
  return new UserError("conflict", [message]);
}

/** The stored version is newer than the one that a person edited. */
export function versionConflictError(message: string): UserError {
  return new UserError("changedMeanwhile", [message]);
}

export function requireText(field: string, value: string, maxLength: number): string {
  if (value.trim() === "") throw invalidInput(`${field} must not be empty`);
  if (!isWithinLength(value, maxLength))
    throw invalidInput(`${field} must have at most ${maxLength} characters`);
  if (!isStorableText(value))
    throw invalidInput(`${field} must not contain U+0000 or half of a surrogate pair`);
  return value;
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
  throw versionConflictError(`${what} was changed since you opened it. Nothing of yours was saved`);
}
