import type { ConsoleErrorCode } from "@gatehouse-parking/contract/console";

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

export const consoleRefusals: Record<ConsoleErrorCode, { status: number; message: string }> = {
  signedOut: { status: 401, message: "You are signed out. Sign in to go on" },
  signInRefused: { status: 401, message: "The e-mail and the password do not fit together" },
  linkRefused: { status: 401, message: "This link was used already or has expired" },
  roleMissing: { status: 403, message: "Your role does not allow this" },
  crossSite: { status: 403, message: "The request did not come from the console's own page" },
  loopbackOnly: { status: 403, message: "The plain HTTP port serves the console to the local machine only" },
  notFound: { status: 404, message: "There is nothing at this address" },
  invalid: { status: 400, message: "Something in the request is not acceptable" },
  conflict: { status: 409, message: "This is not possible at the moment" },
  tooLarge: { status: 413, message: "The request is too large" },
  unsupportedMediaType: { status: 415, message: "The body must be sent as application/json" },
  rateLimited: { status: 429, message: "Too many attempts. Wait a little and try again" },
  unavailable: {
    status: 503,
    message: "The service cannot do this at the moment. Try again in a few seconds",
  },
  internal: { status: 500, message: "An unexpected error occurred" },
};
