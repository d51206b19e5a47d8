import pg from "pg";
import { connectionAdvice } from "./connection-refusals.js";

/** Classes of database errors. Only this file and connection-refusals.ts know PostgreSQL's error codes. */
export type DatabaseTrouble =
  /** The server is unreachable, shutting down, out of resources or rejects the login. A retry may succeed later. */
  | "unavailable"
  /** A deadlock or serialization failure. A retry may succeed at once. */
  | "conflict"
  /** The data was rejected. */
  | "refused";

const unavailableClasses = new Set([
  "08", // connection exceptions
  "53", // out of disk, memory or connections
  "57", // shutdown, cancel, statement timeout
  "58", // system errors outside of PostgreSQL
]);
const unavailableCodes = new Set([
  "25006", // a standby
  "25P03", // idle in a transaction for too long
  "25P04", // a transaction that took too long
  "55P03", // lock timeout
  // Corruption. Extensions raise XX000 of the same class for anything, for example a rejected value.
  "XX001",
  "XX002",
]);
const conflictCodes = new Set(["40001", "40P01"]);
const lockCodes = new Set(["55P03", "40P01"]);
const networkCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
]);

/** Undefined if the error does not come from the database. */
export function databaseTrouble(error: unknown): DatabaseTrouble | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof AggregateError) return databaseTrouble(error.errors[0]);
  if (connectionAdvice(error) !== undefined) return "unavailable";
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (typeof code === "string") {
    // A server's own socket that does not exist, rather than any other file.
    if (networkCodes.has(code) || (code === "ENOENT" && syscall === "connect")) return "unavailable";
    // PostgreSQL has no class that begins with E; the operating system has EROFS, EPERM, EBUSY.
    if (/^[0-9A-DF-Z][0-9A-Z]{4}$/.test(code)) {
      if (conflictCodes.has(code)) return "conflict";
      return unavailableCodes.has(code) || unavailableClasses.has(code.slice(0, 2))
        ? "unavailable"
        : "refused";
    }
  }
  // node-postgres reports these without a code.
  return /Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|is not queryable/i.test(
    error.message,
  )
    ? "unavailable"
    : undefined;
}

/** A value or a row was rejected. Workers of a cluster report XX000 for that. */
export function isRowRefused(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && /^(?:2[23]...|XX000)$/.test(error.code ?? "");
}

/** The server cannot reach the node of its cluster that has the rows. */
export function isWorkerGone(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code?.startsWith("08") === true;
}

/** All connections of a pool were in use for too long. The database itself may be fine. */
export function isPoolExhausted(error: unknown): boolean {
  return error instanceof Error && error.message === "timeout exceeded when trying to connect";
}

/** Waiting for a lock timed out. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === "55P03";
}

/** A statement timed out or was cancelled. */
export function isCancelled(error: unknown): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === "57014";
}

/** Waiting for a lock timed out or ended in a deadlock. */
export function isLockTrouble(error: unknown): boolean {
  return error instanceof Error && lockCodes.has((error as NodeJS.ErrnoException).code ?? "");
}
