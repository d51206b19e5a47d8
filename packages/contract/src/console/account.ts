import type { Static } from "typebox";
import { Type } from "../schema/type.js";
import { uuid } from "../schema/fields.js";
import { wireTimestamp } from "../schema/answers.js";
import { root, type ConsoleOperation } from "./declare.js";
import { nullable, oneTimeCode, typed, word } from "./fields.js";

const RecoveryCodes = Type.Object({
  recoveryCodes: Type.Array(Type.String(), {
    description: "Shown once. Each can be used once instead of a code.",
  }),
});

export const OwnSession = Type.Object(
  {
    uuid: uuid(),
    isCurrent: Type.Boolean({ description: "Whether this is the session of the request." }),
    createdAt: wireTimestamp(),
    lastSeenAt: wireTimestamp(),
    expiresAt: wireTimestamp(),
    address: nullable(Type.String({ description: "The IP address of the sign-in." })),
    userAgent: nullable(Type.String({ description: "The browser's User-Agent header." })),
    by: word(["password", "link", "provider"], "How the person signed in."),
  },
  { $id: "OwnSession" },
);
export type OwnSession = Static<typeof OwnSession>;

/** How people manage their own sign-in. */
export const accountOperations = {
  listOwnSessions: {
    method: "GET",
    path: `${root}/session/all`,
    role: "viewer",
    summary: "List your sessions, most recently used first",
    answer: Type.Object({ data: Type.Array(OwnSession) }),
  },
  endOwnSession: {
    method: "DELETE",
    path: `${root}/session/all/:sessionUuid`,
    role: "viewer",
    audited: true,
    summary: "End one of your sessions",
    answer: Type.Void(),
  },
  endOtherSessions: {
    method: "DELETE",
    path: `${root}/session/others`,
    role: "viewer",
    audited: true,
    summary: "End all your sessions except this one",
    answer: Type.Object({ ended: Type.Integer() }),
  },
  getSecondFactor: {
    method: "GET",
    path: `${root}/session/second-factor`,
    role: "viewer",
    summary: "Get your two-factor authentication",
    answer: Type.Object({
      confirmedAt: nullable(wireTimestamp()),
      recoveryCodesLeft: Type.Integer(),
    }),
  },
  startSecondFactor: {
    method: "POST",
    path: `${root}/session/second-factor`,
    role: "viewer",
    summary: "Set up two-factor authentication: get the secret for an authenticator app",
    description: "It takes effect after the first code is confirmed.",
    body: Type.Object({
      currentPassword: Type.Optional(
        typed(
          "Required if the person has one, unless they signed in with the provider within the last ten minutes.",
        ),
      ),
    }),
    answer: Type.Object({
      secret: Type.String({ description: "Base32, to type into an app. Shown once." }),
      address: Type.String({ description: "otpauth://…, to show as a QR code." }),
    }),
  },
  confirmSecondFactor: {
    method: "POST",
    path: `${root}/session/second-factor/confirm`,
    role: "viewer",
    audited: true,
    summary: "Confirm two-factor authentication with a first code",
    description: "All other sessions of the person end.",
    body: Type.Object({ code: oneTimeCode() }),
    answer: RecoveryCodes,
  },
  renewRecoveryCodes: {
    method: "POST",
    path: `${root}/session/second-factor/recovery-codes`,
    role: "viewer",
    audited: true,
    summary: "Replace your recovery codes",
    body: Type.Object({ code: oneTimeCode() }),
    answer: RecoveryCodes,
  },
  removeSecondFactor: {
    method: "POST",
    path: `${root}/session/second-factor/remove`,
    role: "viewer",
    audited: true,
    summary: "Turn off your two-factor authentication",
    body: Type.Object({ code: oneTimeCode() }),
    answer: Type.Void(),
  },
} as const satisfies Record<string, ConsoleOperation>;
