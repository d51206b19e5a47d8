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
      description:
        "Identifies the person, or the invitation while a person with an account has not accepted it.",
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
        description: "Append it to the console's origin as /sign-in#token=TOKEN. Shown once.",
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
    summary: "List the members of an organization",
    answer: Type.Object({ data: Type.Array(Member) }),
  },
  downloadMembers: exportOf(list, { what: "Members of an organization", query: Type.Object({}) }),
  inviteMember: {
    method: "POST",
    path: `${organization}/members`,
    role: "admin",
    audited: true,
    summary: "Invite somebody",
    description:
      "The answer does not reveal whether the person has an account. If they do, the link does not sign them in: they sign in to that account and accept the invitation.",
    body: Type.Object({ email: typed(), role: memberRole() }),
    answer: Invitation,
  },
  changeMember: {
    method: "PATCH",
    path: `${organization}/members/:userUuid`,
    role: "admin",
    audited: true,
    summary: "Change a member's role, disable or enable them",
    description: "Applies to this organization only.",
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
      "It signs them in once, and stops working when the person who made it loses access. Their password and sessions stay. Only a link from an operator can replace a password. If the account's address is unverified, opening the link removes its password and second factor. Only an operator can make a link for a member of several organizations. A member who has not accepted the invitation gets a new link to it.",
    answer: Invitation,
  },
  resetSecondFactor: {
    method: "POST",
    path: `${organization}/members/:userUuid/second-factor/reset`,
    role: "operator",
    audited: true,
    summary: "Turn off a member's two-factor authentication",
    description: "For people who have lost their authenticator and their recovery codes.",
    answer: Member,
  },
  removeMember: {
    method: "DELETE",
    path: `${organization}/members/:userUuid`,
    role: "admin",
    audited: true,
    summary: "Remove a member from the organization",
    description: "If they belong to no other organization, their account is deleted.",
    answer: Type.Void(),
  },
} as const satisfies Record<string, ConsoleOperation>;
