/** An identifier as the public interface shows it. */
export type Uuid = string;
/** UTC with milliseconds: 2026-04-01T14:30:00.000Z. */
export type Timestamp = string;
/** YYYY-MM-DD, by the calendar of a location. */
export type LocalDate = string;
/** A decimal without loss, as text: "12.50". */
export type Decimal = string;
/** JSON exactly as a partner sent it, as text: numbers of any precision keep their spelling. Never put it into a page as markup. */
export type ExactJson = string;

/** Operators see all organizations; admins and viewers belong to one, and viewers change nothing. */
export type Role = "operator" | "admin" | "viewer";

/** Newest first. `nextCursor` goes into `before` of the next request; null: this was the last page. */
export interface CursorPage<T> {
  data: T[];
  nextCursor: string | null;
}

/** What every cursor list takes in its query string. `limit` is clamped to 1 to 100 and is 50 when absent. */
export interface CursorQuery {
  before?: string;
  limit?: number;
}

/** Why a request was refused, for code. `message` and `errors` are for people. */
export type ConsoleErrorCode =
  /** 401: no session, or it has ended. Show the sign-in page. */
  | "signedOut"
  /** 401: wrong e-mail or password, or a link that was used or has expired. */
  | "signInRefused"
  | "linkRefused"
  /** 403: the role does not allow it. */
  | "roleMissing"
  /** 403: the request did not come from the console's own page. */
  | "crossSite"
  /** 403: the plain port serves the local machine only. */
  | "loopbackOnly"
  /** 404: absent, or of another organization. */
  | "notFound"
  /** 400: `errors` says what to correct. */
  | "invalid"
  /** 409: the state of things does not allow it. */
  | "conflict"
  /** 413. */
  | "tooLarge"
  /** 415: bodies are application/json. */
  | "unsupportedMediaType"
  /** 429: `retryAfter` seconds. */
  | "rateLimited"
  /** 503: database gone, or too busy. */
  | "unavailable"
  /** 500: report `requestId`. */
  | "internal";

/** The body of every refusal of the console's interface. */
export interface ConsoleError {
  success: false;
  code: ConsoleErrorCode;
  message: string;
  errors: string[];
  retryAfter?: number;
  requestId: string;
  timestamp: Timestamp;
}
