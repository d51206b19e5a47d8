import type { ConsoleError, ConsoleErrorCode } from "@gatehouse-parking/contract/console";
import { texts } from "./texts.js";

/** The server answered with an error status. */
export class Refused extends Error {
  override name = "Refused";
  readonly status: number;
  readonly body: Partial<ConsoleError>;

  constructor(status: number, body: Partial<ConsoleError>) {
    super(body.message ?? texts.answered(status));
    this.status = status;
    this.body = body;
  }
}

/** No answer: the server is stopped or restarting, or the network is down. */
export class Unreachable extends Error {
  override name = "Unreachable";
  /** Whether the request was a change. It may have been made, although no answer came. */
  readonly wasChange: boolean;

  constructor(cause: unknown, { wasChange = false } = {}) {
    super(texts.unreachable, { cause });
    this.wasChange = wasChange;
  }
}

interface Explanation {
  title: string;
  detail: string;
  requestId?: string | undefined;
}

/** The error text for a failed request. */
export function explain(error: unknown): Explanation {
  if (error instanceof Unreachable) {
    return {
      title: texts.unreachable,
      detail: error.wasChange ? texts.unreachableChange : texts.unreachableQuery,
    };
  }
  if (error instanceof Refused) {
    return {
      title: error.body.message ?? texts.answered(error.status),
      detail: error.body.errors?.length ? error.body.errors.map(toSentence).join(" ") : advice(error.status),
      requestId: error.body.requestId,
    };
  }
  return {
    title: texts.pageFailed,
    detail: error instanceof Error ? error.message : String(error),
  };
}

/** Messages of the service have no final period. */
function toSentence(message: string): string {
  return /[.?!]$/.test(message) ? message : `${message}.`;
}

function advice(status: number): string {
  if (status === 403) return texts.notAllowed;
  if (status === 404) return texts.notFound;
  if (status === 429) return texts.tooManyRequests;
  if (status >= 500) return texts.serverError;
  return texts.tryAgain;
}

export function isSignedOut(error: unknown): boolean {
  return error instanceof Refused && error.status === 401 && error.body.code === "signedOut";
}

/** Another user has saved a newer version. */
export function isVersionConflict(error: unknown): boolean {
  return error instanceof Refused && error.body.code === "changedMeanwhile";
}

/** The organization requires two-factor authentication, and the user has not set it up. */
export function lacksSecondFactor(error: unknown): boolean {
  return isRefusedAs(error, "secondFactorMissing");
}

export function isRefusedAs(error: unknown, code: ConsoleErrorCode): boolean {
  return error instanceof Refused && error.body.code === code;
}

export function isNotFound(error: unknown): boolean {
  return error instanceof Refused && error.status === 404;
}
