import type { Static } from "typebox";
import { Type } from "../schema/type.js";
import { wireTimestamp } from "../schema/answers.js";
import { word } from "./fields.js";

/** Why a request was rejected: the status, and the message that the console shows unless there are details. */
export const consoleRefusals = {
  /** No session, or it has ended. Show the sign-in page. */
  signedOut: { status: 401, message: "You are signed out. Sign in to continue" },
  signInRefused: { status: 401, message: "The email address or the password is incorrect" },
  /** The password or the link is right. Ask for a code, and send both together. */
  secondFactorNeeded: { status: 401, message: "Enter your two-factor authentication code" },
  secondFactorRefused: {
    status: 401,
    message: "The code is incorrect or has already been used. Enter the code that your app shows now",
  },
  /** The organization requires it. Show how to set it up. */
  secondFactorMissing: { status: 403, message: "Two-factor authentication is required here" },
  linkRefused: { status: 401, message: "This link has already been used or has expired" },
  /** The link invites a person who has an account. They have to sign in to accept it. */
  invitationOfAccount: {
    status: 401,
    message: "This invitation is for an existing account. Sign in to that account to accept it",
  },
  /** The person was not invited, or the sign-in did not start in this browser. */
  providerRefused: { status: 401, message: "Single sign-on failed" },
  roleMissing: { status: 403, message: "Your role does not allow this" },
  crossSite: { status: 403, message: "The request did not come from the console" },
  loopbackOnly: { status: 403, message: "The plain HTTP port serves the console only to the local machine" },
  /** Absent, or of another organization. */
  notFound: { status: 404, message: "There is nothing at this address" },
  /** `errors` says what to correct. */
  invalid: { status: 400, message: "The request is not valid" },
  /** `errors` lists them. */
  openQuestions: { status: 400, message: "The mapping has open questions" },
  /** The current state does not allow it. */
  conflict: { status: 409, message: "This is not possible right now" },
  /** The change is based on an older version. Read it again and change that. */
  changedMeanwhile: { status: 409, message: "Someone else changed this while you were editing" },
  tooLarge: { status: 413, message: "The request is too large" },
  unsupportedMediaType: { status: 415, message: "The body must be sent as application/json" },
  /** `retryAfter` seconds. */
  rateLimited: { status: 429, message: "Too many attempts. Wait a moment, then try again" },
  /** The database is unreachable or too busy. */
  unavailable: {
    status: 503,
    message: "The service cannot do this right now. Try again in a few seconds",
  },
  /** Report `requestId`. */
  internal: { status: 500, message: "An unexpected error occurred" },
} as const;

export type ConsoleErrorCode = keyof typeof consoleRefusals;
export const consoleErrorCodes = Object.keys(consoleRefusals) as ConsoleErrorCode[];

export const ConsoleError = Type.Object(
  {
    success: Type.Literal(false),
    code: word(consoleErrorCodes, "For programs. `message` and `errors` are for people."),
    message: Type.String(),
    errors: Type.Array(Type.String()),
    retryAfter: Type.Optional(Type.Integer({ description: "Seconds." })),
    requestId: Type.String({ description: "Identifies this response in the service's log." }),
    timestamp: wireTimestamp(),
  },
  { $id: "ConsoleError", description: "The body of every rejected request." },
);
export type ConsoleError = Static<typeof ConsoleError>;
