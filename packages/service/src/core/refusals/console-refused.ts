import { consoleRefusals, type ConsoleErrorCode } from "@gatehouse-parking/contract/console";

/**
 * How the console's interface refuses. Its errors are no part of the public contract, so they have a table of their
 * own; what they share with it (media type, size, an unreachable database) is translated.
 */
export class ConsoleRefused extends Error {
  override name = "ConsoleRefused";
  readonly code: ConsoleErrorCode;
  readonly details: string[];
  readonly retryAfter: number | undefined;

  constructor(code: ConsoleErrorCode, details: string[] = [], options: { retryAfter?: number } = {}) {
    super(consoleRefusals[code].message);
    this.code = code;
    this.details = details;
    this.retryAfter = options.retryAfter;
  }
}
