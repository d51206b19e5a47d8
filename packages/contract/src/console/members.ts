import type { Static } from "typebox";
import { Type } from "../schema/type.js";
import { wireTimestamp } from "../schema/answers.js";
import { flag, uuid } from "../schema/fields.js";
import { organization, type ConsoleOperation } from "./declare.js";
import { exportOf } from "./exports.js";
import { editedVersion, nullable, typed, version, word } from "./fields.js";

const memberRole = () => word(["admin", "viewer"]);

export const Member = Type.Object(
  {
    uuid: uuid({
      description: "Of the person; of the invitation, while somebody who has an account has not accepted it.",
    }),
    email: Type.String(),
    role: memberRole(),
    createdAt: wireTimestamp(),
    disabledAt: nullable(wireTimestamp()),
    hasPassword: Type.Boolean(),
    hasSecondFactor: Type.Boolean(),
    lastSeenAt: nullable(wireTimestamp()),
    version: version(),
  },
  { $id: "Member" },
);
export type Member = Static<typeof Member>;

export const Invitation = Type.Object(
  {
    member: Member,
    link: Type.Object({
      path: Type.String({
        description: "To be put behind the console's origin: /sign-in#token=TOKEN. Shown once.",
      }),
      expiresAt: wireTimestamp(),
    }),
  },
  { $id: "Invitation" },
);
export type Invitation = Static<typeof Invitation>;

const ChangeMemberRequest = Type.Object({
  role: Type.Optional(memberRole()),
  disabled: Type.Optional(flag()),
  version: editedVersion(),
});
export type ChangeMemberRequest = Static<typeof ChangeMemberRequest>;

const list = { method: "GET", path: `${organization}/members`, role: "viewer" } as const;

export const memberOperations = {
  listMembers: {
    ...list,
    summary: "The people of an organization",
    answer: Type.Object({ data: Type.Array(Member) }),
  },
  downloadMembers: exportOf(list, { what: "The people of an organization", query: Type.Object({}) }),
  inviteMember: {
    method: "POST",
    path: `${organization}/members`,
    role: "admin",
    audited: true,
    summary: "Invite somebody",
    description:
      "The answer does not tell whether they have an account. If they have, the link signs nobody in: it adds this organization to the account once its owner has accepted.",
    body: Type.Object({ email: typed(), role: memberRole() }),
    answer: Invitation,
  },
  changeMember: {
    method: "PATCH",
    path: `${organization}/members/:userUuid`,
    role: "admin",
    audited: true,
    summary: "Change a member's role, disable or enable them",
    description: "In this organization; others that they belong to stay open to them.",
    body: ChangeMemberRequest,
    answer: Member,
  },
  createSignInLink: {
    method: "POST",
    path: `${organization}/members/:userUuid/sign-in-link`,
    role: "admin",
    audited: true,
    summary: "Make a one-time link for a member",
    description:
      "It signs them in once, and ends with the access of whoever made it. Their password and sessions stay. Only a link that an operator makes replaces a password; if nobody has proven the address of the account yet, opening it removes the password and the second factor that were set before. For somebody who belongs to other organizations too, only an operator makes one. Whoever has not accepted an invitation gets a new link to it.",
    answer: Invitation,
  },
  resetSecondFactor: {
    method: "POST",
    path: `${organization}/members/:userUuid/second-factor/reset`,
    role: "operator",
    audited: true,
    summary: "Take a member's second factor away",
    description: "For somebody who has lost their authenticator and their recovery codes.",
    answer: Member,
  },
  removeMember: {
    method: "DELETE",
    path: `${organization}/members/:userUuid`,
    role: "admin",
    audited: true,
    summary: "Remove somebody from the organization",
    description: "Whoever belongs to no other loses their account with it.",
    answer: Type.Void(),
  },
} as const satisfies Record<string, ConsoleOperation>;
