import { InvalidBackup } from "@gatehouse-parking/local-postgres";
import { UserError } from "../refusals/user-error.js";
import { connectionAdvice } from "../database/connection-refusals.js";
import { OperatorError } from "../operator-error.js";
import { databaseTrouble } from "../database/sqlstate.js";

const meantForPeople = [OperatorError, InvalidBackup, UserError];

/** What a person reads on stderr when a command fails. Only what we did not foresee shows where it happened. */
export function describeFailure(error: unknown): string {
  if (meantForPeople.some((kind) => error instanceof kind)) return (error as Error).message;
  if (!(error instanceof Error)) return String(error);
  const advice = connectionAdvice(error);
  if (advice !== undefined) return advice;
  const reason = firstReason(error);
  switch (databaseTrouble(error)) {
    case "unavailable":
      // An error that the server itself reports, such as a node that it cannot reach, shows that the address is right.
      if ("severity" in error) return `The database cannot do this right now: ${reason}.`;
      return `The database cannot be reached: ${reason}. Check DATABASE_URL and that the server is running.`;
    case "refused":
      return `The database refused: ${reason}`;
    default:
      return isForeseen(error) ? (systemReason(error) ?? reason) : (error.stack ?? reason);
  }
}

/** What the operating system says of a file, in words. */
function systemReason({ code, path }: NodeJS.ErrnoException): string | undefined {
  // What is written to an open file does not say to which.
  if (code === "ENOSPC")
    return `There is no room left on the disk${path === undefined ? "" : ` for ${path}`}.`;
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
      return `This user has no permission for ${path}.`;
    case "EROFS":
      return `${path} is on a file system that can only be read.`;
    default:
      return undefined;
  }
}

function firstReason(error: Error): string {
  return error instanceof AggregateError ? (error.errors[0] as Error).message : error.message;
}

/** Errors of our own and of the operating system say what is wrong; a TypeError is a bug of ours. */
function isForeseen(error: Error): boolean {
  return error.constructor === Error || "syscall" in error;
}
