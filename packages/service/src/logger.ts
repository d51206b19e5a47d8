import { pino, type DestinationStream, type Logger } from "pino";
import type { Config } from "./config.js";
import type { LogFormat } from "./config/variables/telemetry.js";

/** As much of a log as the parts need that know nothing of the server, whose log this is. */
export interface Log {
  error(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  child(fields: Record<string, unknown>): Log;
}

export type OutputStream = NodeJS.WriteStream & { fd: 1 | 2 };

/** What could not be written waits to be; lines for which there is no room behind it are lost. */
export const maxUnwrittenBytes = 1_048_576;

/** For people at a terminal, readable lines; for everything else, one JSON object a line; unless it was chosen. */
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
      serializers: { err: describeError },
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
 * An error without what the database adds to it: `detail` and `where` quote column values, which can be personal data.
 */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code, constraint, table } = error as Error & Record<string, unknown>;
  return {
    type: error.name,
    message: error.message,
    code,
    table,
    constraint,
    stack: error.stack,
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  };
}
