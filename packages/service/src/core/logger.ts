import { pino, type DestinationStream, type Logger } from "pino";
import type { Config } from "./config.js";
import type { LogFormat } from "./config/variables/log.js";

/** The logging methods that the service uses. */
export interface Log {
  error(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  child(fields: Record<string, unknown>): Log;
}

export type OutputStream = NodeJS.WriteStream & { fd: 1 | 2 };

/** The buffer while the log cannot be written. Further lines are lost. */
export const maxUnwrittenBytes = 1_048_576;

/** Options of every logger. */
export const logSerializers = { err: loggableError };

/** The default is readable lines at a terminal, and one JSON object per line everywhere else. */
export function logFormat(chosen: LogFormat | undefined, stream: OutputStream): LogFormat {
  return chosen ?? (stream.isTTY ? "pretty" : "json");
}

export async function createLogger(
  level: Config["logLevel"],
  format: LogFormat,
  stream: OutputStream,
): Promise<Logger> {
  const isPretty = format === "pretty";
  const destination = isPretty ? await prettyLines(stream) : jsonLines(stream);
  return pino(
    {
      level,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: isPretty ? {} : { level: (label) => ({ level: label }) },
      serializers: logSerializers,
    },
    destination,
  );
}

/** A log that cannot be written, for example on a full disk, does not stop the service. */
function jsonLines(stream: OutputStream): DestinationStream {
  const lines = pino.destination({ dest: stream.fd, sync: true, maxLength: maxUnwrittenBytes });
  // Without a listener, a failed write would throw at its caller and end the process.
  lines.on("error", () => undefined);
  return lines;
}

async function prettyLines(stream: OutputStream): Promise<DestinationStream> {
  // Loaded only when needed: most services write JSON.
  const { default: pretty } = await import("pino-pretty");
  return pretty({
    // hasColors() honors NO_COLOR.
    colorize: stream.isTTY && stream.hasColors(),
    destination: stream.fd,
    ignore: "pid,hostname",
    sync: true,
    translateTime: "SYS:HH:MM:ss.l",
  });
}

/**
 * Serializes the `err` of every log line. PostgreSQL quotes rejected values in its message, detail and context ("Failing
 * row contains ..."), and these are people's names and addresses. So only the parts that identify the fault are logged,
 * and no extra properties that libraries add to errors.
 *
 * Messages about the server itself are kept, because the operator needs them: no space left, too many connections, a
 * missing privilege.
 */
export function loggableError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name: type, message, stack } = error;
  const { code } = error as NodeJS.ErrnoException;
  const cause = error.cause === undefined ? {} : { cause: loggableError(error.cause) };
  return isOfPostgres(error) ? { ...partsOf(error), ...cause } : { type, message, code, stack, ...cause };
}

/** An error that PostgreSQL has reported, as the driver represents it. */
type PostgresError = Error & Record<"code" | "severity", unknown>;

function isOfPostgres(error: Error): error is PostgresError {
  return "severity" in error && "code" in error;
}

/**
 * Connections (08), transactions (25, 40), roles and privileges (28, 42501), unknown databases (3D), resources (53), locks
 * (55), operator intervention (57), the system (58).
 */
const aboutTheServer = /^(?:08|25|28|3D|40|42501|53|55|57|58)/;

/** The parts that name tables, columns and constraints, but no values. */
function partsOf(error: PostgresError): Record<string, unknown> {
  const { code, severity, schema, table, column, constraint, routine } = error as PostgresError &
    Record<string, unknown>;
  const callers = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return {
    type: "DatabaseError",
    message: aboutTheServer.test(String(code))
      ? error.message
      : `PostgreSQL reported an error with code ${String(code)}`,
    stack: callers.join("\n"),
    ...{ code, severity, schema, table, column, constraint, routine },
  };
}
