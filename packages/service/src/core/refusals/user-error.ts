import { isStorableText, isWithinLength } from "@gatehouse-parking/contract";
import { consoleRefusals, type ConsoleErrorCode } from "@gatehouse-parking/contract/console";
import { createHash } from "node:crypto";

/**
 * The console or a command rejects a user's request. Message and problems are shown to the user. The console answers
 * as the row of its error table that `code` names.
 */
export class UserError extends Error {
  override name = "UserError";
  readonly code: ConsoleErrorCode;
  /** The individual problems, if the message is a summary. Empty: the code says everything. */
  readonly problems: readonly string[];
  readonly retryAfter: number | undefined;
  readonly headers: Record<string, string>;

  constructor(
    code: ConsoleErrorCode,
    problems: readonly string[] = [],
    { message, retryAfter, headers = {}, cause }: UserErrorOptions = {},
  ) {
    super(message ?? problems[0] ?? consoleRefusals[code].message, { cause });
    this.code = code;
    this.problems = problems;
    this.retryAfter = retryAfter;
    this.headers = headers;
  }
}

interface UserErrorOptions {
  message?: string;
  retryAfter?: number;
  headers?: Record<string, string>;
  cause?: unknown;
}

export function isUserError(error: unknown, ...codes: ConsoleErrorCode[]): error is UserError {
  return error instanceof UserError && codes.includes(error.code);
}

/** The user's input is invalid. */
export function invalidInput(message: string, problems: readonly string[] = [message]): UserError {
  return new UserError("invalid", problems, { message });
}

/** The object does not exist, or belongs to another organization. */
export function notFoundError(message: string): UserError {
  return new UserError("notFound", [message]);
}

/** The current state does not allow the action. */
export function conflictError(message: string): UserError {
  return new UserError("conflict", [message]);
}

/** The stored version is newer than the one that the user edited. */
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
 * Identifies the version that a user edits. It is a hash of the values, not a counter, so changes by the command line
 * or an older release also result in a new version.
 */
export function versionOf(values: object): string {
  const inOrder = Object.entries(values).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(inOrder)).digest("base64url");
}

/**
 * Throws if the changes belong to an older version. Without a version, as on the command line, changes always apply.
 */
export function requireVersion(what: string, stored: string, wanted: string | undefined): void {
  if (wanted === undefined || wanted === stored) return;
  throw versionConflictError(`${what} has changed since you opened it. Your changes were not saved`);
}
