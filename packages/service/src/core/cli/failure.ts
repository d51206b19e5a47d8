import { InvalidBackup } from "@gatehouse-parking/local-postgres";
import { UserError } from "../refusals/user-error.js";
import { connectionAdvice } from "../database/connection-refusals.js";
import { OperatorError } from "../operator-error.js";
import { databaseTrouble } from "../database/sqlstate.js";

const meantForPeople = [OperatorError, InvalidBackup, UserError];

/** The message on stderr when a command fails. Only unexpected errors include a stack trace. */
export function describeFailure(error: unknown): string {
  if (meantForPeople.some((kind) => error instanceof kind)) return (error as Error).message;
  if (!(error instanceof Error)) return String(error);
  const advice = connectionAdvice(error);
  if (advice !== undefined) return advice;
  const reason = firstReason(error);
  switch (databaseTrouble(error)) {
    case "unavailable":
      // If the server itself reports the error, such as an unreachable node, the address is correct.
      if ("severity" in error) return `The database cannot do this right now: ${reason}.`;
      return `The database cannot be reached: ${reason}. Check DATABASE_URL and that the server is running.`;
    case "refused":
      return `The database reported an error: ${reason}`;
    default:
      return isForeseen(error) ? (systemReason(error) ?? reason) : (error.stack ?? reason);
  }
}

/** Describes file system errors. */
function systemReason({ code, path }: NodeJS.ErrnoException): string | undefined {
  // Errors from writing to an open file do not include its path.
  if (code === "ENOSPC") return `The disk is full${path === undefined ? "" : ` for ${path}`}.`;
  if (path === undefined) return undefined;
  switch (code) {
    case "ENOENT":
      return `There is no file or folder ${path}.`;
    case "ENOTDIR":
      return `${path} is not a folder, or is inside something that is not a folder.`;
    case "EISDIR":
      return `${path} is a folder, not a file.`;
    case "EACCES":
    case "EPERM":
      return `Permission denied: ${path}.`;
    case "EROFS":
      return `${path} is on a file system that can only be read.`;
    default:
      return undefined;
  }
}

function firstReason(error: Error): string {
  return error instanceof AggregateError ? (error.errors[0] as Error).message : error.message;
}

/** Our errors and those of the operating system explain the problem. A TypeError is a bug in Gatehouse. */
function isForeseen(error: Error): boolean {
  return error.constructor === Error || "syscall" in error;
}
