import { pino, type DestinationStream, type Logger } from "pino";
import type { Config } from "./config.js";
import type { LogFormat } from "./config/variables/log.js";
import { loggableError } from "./loggable-error.js";

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
