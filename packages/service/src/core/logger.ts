import { pino, type DestinationStream, type Logger } from "pino";
import type { Config } from "./config.js";
import type { LogFormat } from "./config/variables/log.js";

/** The part of the server's log that the capabilities use. They know nothing of the server itself. */
export interface Log {
  error(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  child(fields: Record<string, unknown>): Log;
}

export type OutputStream = NodeJS.WriteStream & { fd: 1 | 2 };

/** How much waits for a log that cannot be written at the moment. Lines that find no room are lost. */
export const maxUnwrittenBytes = 1_048_576;

/** For every logger of the service, whatever it writes to. */
export const logSerializers = { err: loggableError };

/** Unless it was chosen: readable lines at a terminal, and one JSON object a line everywhere else. */
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

/** A log that cannot be written, as on a full disk, does not keep the service from its work. */
function jsonLines(stream: OutputStream): DestinationStream {
  const lines = pino.destination({ dest: stream.fd, sync: true, maxLength: maxUnwrittenBytes });
  // Without a listener the error would be thrown at whoever writes a line, be it a timer or the end of a request, and so end
  // the process.
  lines.on("error", () => undefined);
  return lines;
}

async function prettyLines(stream: OutputStream): Promise<DestinationStream> {
  // Most services write JSON and need not load it.
  const { default: pretty } = await import("pino-pretty");
  return pretty({
    // The terminal knows about NO_COLOR by itself.
    colorize: stream.isTTY && stream.hasColors(),
    destination: stream.fd,
    ignore: "pid,hostname",
    sync: true,
    translateTime: "SYS:HH:MM:ss.l",
  });
}

/**
 * The one rule for what the log says of an error, which every line with an `err` goes through. PostgreSQL quotes the refused
 * values in its message, detail and context ("Failing row contains ..."), and those values are people's names and
 * addresses. What identifies the fault is kept, they are not. Of other errors, what libraries hang on them stays out.
 *
 * Where the trouble is with the server and not with a value, its message is what an operator needs: no space left, too many
 * connections, a right that the role lacks.
 */
export function loggableError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name: type, message, stack } = error;
  const { code } = error as NodeJS.ErrnoException;
  const cause = error.cause === undefined ? {} : { cause: loggableError(error.cause) };
  return isOfPostgres(error) ? { ...partsOf(error), ...cause } : { type, message, code, stack, ...cause };
}

/** What PostgreSQL says of an error of its own, by the names that the driver gives it. */
type PostgresError = Error & Record<"code" | "severity", unknown>;

function isOfPostgres(error: Error): error is PostgresError {
  return "severity" in error && "code" in error;
}

/**
 * Connections (08), transactions (25, 40), roles and rights (28, 42501), unknown databases (3D), resources (53), locks (55), an
 * operator's own doing (57), the system (58).
 */
const aboutTheServer = /^(?:08|25|28|3D|40|42501|53|55|57|58)/;

/** Only parts that name things of ours. */
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
