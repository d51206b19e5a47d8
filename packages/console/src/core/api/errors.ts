import type { ConsoleError, ConsoleErrorCode } from "@gatehouse-parking/contract/console";

/** The server answered with an error status. */
export class Refused extends Error {
  override name = "Refused";
  readonly status: number;
  readonly body: Partial<ConsoleError>;

  constructor(status: number, body: Partial<ConsoleError>) {
    super(body.message ?? `The server answered ${status}`);
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
    super("The server cannot be reached", { cause });
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
      title: "The server cannot be reached",
      detail: error.wasChange
        ? "There was no answer, so the change may or may not have been made. Once you are connected again, check before you repeat it."
        : "Check that the service is running and that you are connected, then try again.",
    };
  }
  if (error instanceof Refused) {
    return {
      title: error.body.message ?? `The server answered ${error.status}`,
      detail: error.body.errors?.length ? error.body.errors.join(" ") : advice(error.status),
      requestId: error.body.requestId,
    };
  }
  return {
    title: "Something went wrong on this page",
    detail: error instanceof Error ? error.message : String(error),
  };
}

function advice(status: number): string {
  if (status === 403) return "Your role does not allow this. Ask an admin of your organization.";
  if (status === 404) return "It may have been removed, or it belongs to another organization.";
  if (status === 429) return "Too many requests at once. Wait a moment and try again.";
  if (status >= 500)
    return "Try again. If it keeps happening, give the request ID to the operator of the service.";
  return "Try again.";
}

export function isSignedOut(error: unknown): boolean {
  return error instanceof Refused && error.status === 401 && error.body.code === "signedOut";
}

/** Somebody else has saved a newer version. */
export function isVersionConflict(error: unknown): boolean {
  return error instanceof Refused && error.body.code === "changedMeanwhile";
}

/** The organization requires a second factor, and the user has none. */
export function lacksSecondFactor(error: unknown): boolean {
  return isRefusedAs(error, "secondFactorMissing");
}

export function isRefusedAs(error: unknown, code: ConsoleErrorCode): boolean {
  return error instanceof Refused && error.body.code === code;
}

export function isNotFound(error: unknown): boolean {
  return error instanceof Refused && error.status === 404;
}
