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
      description: "Opened by a one-time link. It does not replace a password.",
    }),
    byProvider: Type.Boolean({ description: "Opened by the OpenID provider: no password is needed." }),
    /** Those that an admin or viewer belongs to, by name. None for an operator, who picks one from the list. */
    organizations: Type.Array(OwnOrganization),
    /** When the session ends, whatever happens. It also ends after 12 hours without a request. */
    expiresAt: wireTimestamp(),
    /** The origin that links and commands name; null: the one by which the console was opened. */
    publicUrl: nullable(Type.String()),
    /** Where the service listens. No port for HTTPS: a proxy in front of it ends TLS. */
    ports: Type.Object({ https: nullable(Type.Integer()), http: Type.Integer() }),
    /** The certificate (PEM) of the service's own authority, if callers of the interface have to be told of it. */
    authority: nullable(Type.String()),
    /** The names of the features that the service has registered. The console shows no others. */
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
      "Needed if the person has one, unless they give a code, or signed in within the last ten minutes with the provider.",
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
    description: "Whoever has a second factor sends its code along; without one: 401, secondFactorNeeded.",
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
      "A link is /sign-in#token=TOKEN: what stands behind the # never reaches a log. The page posts the token. Whoever has a second factor sends its code along; the link is used up only if that is right. A link that invites somebody who has an account signs nobody in: 401, invitationOfAccount.",
    body: Type.Object({ token: typed(), code: Type.Optional(oneTimeCode()) }),
    answer: Session,
  },
  acceptInvitation: {
    method: "POST",
    path: `${root}/session/invitation`,
    role: "viewer",
    audited: true,
    summary: "Accept the invitation into another organization",
    description:
      "With the token of its link, in a session of the account that was invited. All other sessions of the person end, and so do links that sign them in.",
    body: Type.Object({ token: typed() }),
    answer: Type.Object({ organizationUuid: uuid(), session: Session }),
  },
  getSignInWays: {
    method: "GET",
    path: `${root}/sign-in`,
    role: "public",
    summary: "How people may sign in",
    answer: Type.Object({
      provider: nullable(Type.Object({ name: Type.String() })),
    }),
  },
  startProviderSignIn: {
    method: "POST",
    path: `${root}/session/provider/start`,
    role: "public",
    summary: "Begin to sign in with the OpenID provider",
    description: "Sets a cookie that binds the provider's answer to this browser for ten minutes.",
    answer: Type.Object({ address: Type.String({ description: "Where the browser goes next." }) }),
  },
  signInByProvider: {
    method: "POST",
    path: `${root}/session/provider`,
    role: "public",
    audited: true,
    summary: "Sign in with what the OpenID provider answered",
    body: Type.Object({
      answer: typed("The query of the address that the provider sent the browser back to."),
    }),
    answer: Session,
  },
  getSession: {
    method: "GET",
    path: `${root}/session`,
    role: "viewer",
    summary: "Who is signed in",
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
    description: "All other sessions of the person end; this one goes on under a new cookie.",
    body: ChangePasswordRequest,
    answer: Session,
  },
} as const satisfies Record<string, ConsoleOperation>;
