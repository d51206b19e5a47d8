import type { Static } from "typebox";
import { Type } from "../schema/type.js";
import { uuid } from "../schema/fields.js";
import { wireTimestamp } from "../schema/answers.js";
import { root, type ConsoleOperation } from "./declare.js";
import { nullable, oneTimeCode, typed, word } from "./fields.js";

const RecoveryCodes = Type.Object({
  recoveryCodes: Type.Array(Type.String(), { description: "Shown once. Each replaces a code once." }),
});

export const OwnSession = Type.Object(
  {
    uuid: uuid(),
    isCurrent: Type.Boolean({ description: "The one that this is asked by." }),
    createdAt: wireTimestamp(),
    lastSeenAt: wireTimestamp(),
    expiresAt: wireTimestamp(),
    address: nullable(Type.String({ description: "Where it was opened from." })),
    userAgent: nullable(Type.String({ description: "What the browser says it is." })),
    by: word(["password", "link", "provider"], "How it was opened."),
  },
  { $id: "OwnSession" },
);
export type OwnSession = Static<typeof OwnSession>;

/** What people do about their own sign-in. */
export const accountOperations = {
  listOwnSessions: {
    method: "GET",
    path: `${root}/session/all`,
    role: "viewer",
    summary: "One's own sessions, the last used first",
    answer: Type.Object({ data: Type.Array(OwnSession) }),
  },
  endOwnSession: {
    method: "DELETE",
    path: `${root}/session/all/:sessionUuid`,
    role: "viewer",
    audited: true,
    summary: "End one of one's own sessions",
    answer: Type.Void(),
  },
  endOtherSessions: {
    method: "DELETE",
    path: `${root}/session/others`,
    role: "viewer",
    audited: true,
    summary: "End all of one's own sessions but this one",
    answer: Type.Object({ ended: Type.Integer() }),
  },
  getSecondFactor: {
    method: "GET",
    path: `${root}/session/second-factor`,
    role: "viewer",
    summary: "One's own second factor",
    answer: Type.Object({
      confirmedAt: nullable(wireTimestamp()),
      recoveryCodesLeft: Type.Integer(),
    }),
  },
  startSecondFactor: {
    method: "POST",
    path: `${root}/session/second-factor`,
    role: "viewer",
    summary: "Set up a second factor: the secret for an authenticator app",
    description: "It is asked for only after a code of it was confirmed.",
    body: Type.Object({
      currentPassword: Type.Optional(
        typed(
          "Needed if the person has one, unless they signed in within the last ten minutes with the provider.",
        ),
      ),
    }),
    answer: Type.Object({
      secret: Type.String({ description: "Base32, to be typed into an app. Shown once." }),
      address: Type.String({ description: "otpauth://…, to be shown as a QR code." }),
    }),
  },
  confirmSecondFactor: {
    method: "POST",
    path: `${root}/session/second-factor/confirm`,
    role: "viewer",
    audited: true,
    summary: "Confirm a second factor by its first code",
    description: "All other sessions of the person end.",
    body: Type.Object({ code: oneTimeCode() }),
    answer: RecoveryCodes,
  },
  renewRecoveryCodes: {
    method: "POST",
    path: `${root}/session/second-factor/recovery-codes`,
    role: "viewer",
    audited: true,
    summary: "New recovery codes in place of the old ones",
    body: Type.Object({ code: oneTimeCode() }),
    answer: RecoveryCodes,
  },
  removeSecondFactor: {
    method: "POST",
    path: `${root}/session/second-factor/remove`,
    role: "viewer",
    audited: true,
    summary: "Remove one's own second factor",
    body: Type.Object({ code: oneTimeCode() }),
    answer: Type.Void(),
  },
} as const satisfies Record<string, ConsoleOperation>;
