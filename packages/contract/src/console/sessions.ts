import type { Static } from "typebox";
import { Type } from "../schema/type.js";
import { uuid } from "../schema/fields.js";
import { wireTimestamp } from "../schema/answers.js";
import { root, type ConsoleOperation } from "./declare.js";
import { nullable, oneTimeCode, typed } from "./fields.js";
import { OwnOrganization } from "./organizations.js";

export const SignedInUser = Type.Object(
  {
    uuid: uuid(),
    email: Type.String(),
    isOperator: Type.Boolean({ description: "Operators see all organizations." }),
    hasPassword: Type.Boolean({ description: "False after an invitation: ask for a password." }),
    hasSecondFactor: Type.Boolean(),
  },
  { $id: "SignedInUser" },
);
export type SignedInUser = Static<typeof SignedInUser>;

export const Session = Type.Object(
  {
    user: SignedInUser,
    byLink: Type.Boolean({
      description: "Signed in with a one-time link. It does not replace a password.",
    }),
    byProvider: Type.Boolean({ description: "Signed in with the OpenID provider: no password is needed." }),
    /** The organizations of an admin or viewer, by name. Empty for an operator, who picks one from the list. */
    organizations: Type.Array(OwnOrganization),
    /** When the session ends at the latest. It also ends after 12 hours without a request. */
    expiresAt: wireTimestamp(),
    /** The origin to use in links and commands; null: the one by which the console was opened. */
    publicUrl: nullable(Type.String()),
    /** Where the service listens. Without an HTTPS port, a proxy terminates TLS. */
    ports: Type.Object({ https: nullable(Type.Integer()), http: Type.Integer() }),
    /** The certificate (PEM) of the service's own authority, if clients must trust it explicitly. */
    authority: nullable(Type.String()),
    /** The names of the enabled features. The console hides the others. */
    features: Type.Array(Type.String()),
  },
  { $id: "Session" },
);
export type Session = Static<typeof Session>;

const SignInRequest = Type.Object({
  email: typed(),
  password: typed(),
  code: Type.Optional(oneTimeCode()),
});
export type SignInRequest = Static<typeof SignInRequest>;

const ChangePasswordRequest = Type.Object({
  currentPassword: Type.Optional(
    typed(
      "Required if the person has one, unless they give a code or signed in with the provider within the last ten minutes.",
    ),
  ),
  code: Type.Optional(oneTimeCode()),
  newPassword: typed(),
});
export type ChangePasswordRequest = Static<typeof ChangePasswordRequest>;

export const sessionOperations = {
  signIn: {
    method: "POST",
    path: `${root}/session`,
    role: "public",
    audited: true,
    summary: "Sign in with a password",
    description: "Two-factor authentication needs a code; without one: 401, secondFactorNeeded.",
    body: SignInRequest,
    answer: Session,
  },
  signInByLink: {
    method: "POST",
    path: `${root}/session/link`,
    role: "public",
    audited: true,
    summary: "Sign in with a one-time link",
    description:
      "A link is /sign-in#token=TOKEN: the part after the # never reaches a log. The page posts the token. Two-factor authentication needs a code; a wrong code does not use up the link. An invitation for an existing account does not sign in: 401, invitationOfAccount.",
    body: Type.Object({ token: typed(), code: Type.Optional(oneTimeCode()) }),
    answer: Session,
  },
  acceptInvitation: {
    method: "POST",
    path: `${root}/session/invitation`,
    role: "viewer",
    audited: true,
    summary: "Accept an invitation to another organization",
    description:
      "Needs the token of the link and a session of the invited account. All other sessions and sign-in links of the person end.",
    body: Type.Object({ token: typed() }),
    answer: Type.Object({ organizationUuid: uuid(), session: Session }),
  },
  getSignInWays: {
    method: "GET",
    path: `${root}/sign-in`,
    role: "public",
    summary: "List the ways to sign in",
    answer: Type.Object({
      provider: nullable(Type.Object({ name: Type.String() })),
    }),
  },
  startProviderSignIn: {
    method: "POST",
    path: `${root}/session/provider/start`,
    role: "public",
    summary: "Start signing in with the OpenID provider",
    description: "Sets a cookie that binds the provider's answer to this browser for ten minutes.",
    answer: Type.Object({ address: Type.String({ description: "Where the browser goes next." }) }),
  },
  signInByProvider: {
    method: "POST",
    path: `${root}/session/provider`,
    role: "public",
    audited: true,
    summary: "Sign in with the response of the OpenID provider",
    body: Type.Object({
      answer: typed("The query string of the redirect from the provider."),
    }),
    answer: Session,
  },
  getSession: {
    method: "GET",
    path: `${root}/session`,
    role: "viewer",
    summary: "Get the signed-in person",
    answer: Session,
  },
  signOut: {
    method: "DELETE",
    path: `${root}/session`,
    role: "viewer",
    summary: "Sign out",
    answer: Type.Void(),
  },
  changePassword: {
    method: "POST",
    path: `${root}/session/password`,
    role: "viewer",
    audited: true,
    summary: "Change one's own password",
    description: "All other sessions of the person end; this one continues with a new cookie.",
    body: ChangePasswordRequest,
    answer: Session,
  },
} as const satisfies Record<string, ConsoleOperation>;
