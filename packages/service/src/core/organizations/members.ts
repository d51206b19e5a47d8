import { isUuid } from "@gatehouse-parking/contract";
import type pg from "pg";
import { invalidInput, notFoundError, versionOf, requireVersion } from "../refusals/user-error.js";
import { everyMembership, lockAccounts, roleIn, revokeSessionsWithoutMembership } from "./memberships.js";
import { changesBetween, writeAudit, type Actor } from "../audit/audit.js";
import { transaction, type Connection } from "../database/transaction.js";
import { endLinksMadeBy } from "./sign-in-links.js";
import { hasSecondFactor } from "./second-factor.js";

/** A user as one organization sees them. */
export interface Member {
  /** The account's uuid, or the invitation's until they have accepted it. */
  uuid: string;
  email: string;
  role: "admin" | "viewer";
  createdAt: string;
  disabledAt: string | null;
  hasPassword: boolean;
  hasSecondFactor: boolean;
  lastSeenAt: string | null;
  /** Names the state of what others may change. */
  version: string;
}

/** A member whose account is locked. */
export interface LockedMember {
  member: Member;
  userId: string;
  isAccepted: boolean;
}

interface MemberRow {
  user_id: string;
  is_accepted: boolean;
  member_id: string;
  email: string;
  role: "admin" | "viewer";
  since: Date;
  disabled_at: Date | null;
  has_password: boolean;
  has_second_factor: boolean;
  last_seen_at: Date | null;
}

const maxMembers = 1_000;

/**
 * Until an invitation is accepted, users with and without an account look the same. A disabled member's activity
 * elsewhere is hidden.
 */
const select = `
  select member.user_id, member.is_accepted, member.member_id, member.role, member.since, member.disabled_at,
         case when member.is_accepted then person.email else member.email end as email,
         member.is_accepted and person.password_hash is not null as has_password,
         member.is_accepted and member.disabled_at is null and ${hasSecondFactor("person.id")} as has_second_factor,
         case when member.is_accepted and member.disabled_at is null then (
           select max(last_seen_at) from sessions where user_id = person.id
         ) end as last_seen_at
  from ${everyMembership} as member join users as person on person.id = member.user_id
  where member.organization_id = $1`;

export async function listMembers(connection: Connection, organizationId: string): Promise<Member[]> {
  const { rows } = await connection.query<MemberRow>(
    `${select} order by person.email_key limit ${maxMembers}`,
    [organizationId],
  );
  return rows.map(toMember);
}

export async function readMember(
  client: pg.ClientBase,
  organizationId: string,
  memberId: string,
): Promise<Member> {
  return toMember(await findMember(client, organizationId, memberId));
}

/**
 * Locks the account of the member and that of the acting admin. If two admins remove each other at the same time,
 * the second is refused, so one admin is left.
 */
export async function lockMember(
  client: pg.ClientBase,
  input: { organizationId: string; memberId: string; actorId: string },
): Promise<LockedMember> {
  const { user_id: userId } = await findMember(client, input.organizationId, input.memberId);
  await lockAccounts(client, [userId, input.actorId]);
  await requireAdmin(client, input.organizationId, input.actorId);
  const row = await findMember(client, input.organizationId, input.memberId);
  return { member: toMember(row), userId, isAccepted: row.is_accepted };
}

async function requireAdmin(client: pg.ClientBase, organizationId: string, actorId: string): Promise<void> {
  const { rows } = await client.query<{ role: string | null }>(
    `select ${roleIn("$1", "users")} as role from users where id = $2`,
    [organizationId, actorId],
  );
  if (!["admin", "operator"].includes(rows[0]?.role ?? ""))
    throw invalidInput("You are no longer an admin of this organization");
}

async function findMember(
  client: pg.ClientBase,
  organizationId: string,
  memberId: string,
): Promise<MemberRow> {
  const { rows } = isUuid(memberId)
    ? await client.query<MemberRow>(`${select} and member.member_id = $2`, [organizationId, memberId])
    : { rows: [] };
  if (!rows[0]) throw notFoundError(`There is no member ${memberId}`);
  return rows[0];
}

/** The fields of a member that admins can change. */
export function standing({ role, disabledAt }: Pick<Member, "role" | "disabledAt">) {
  return { role, disabled: disabledAt !== null };
}

function toMember(row: MemberRow): Member {
  const member = {
    uuid: row.member_id,
    email: row.email,
    role: row.role,
    createdAt: row.since.toISOString(),
    disabledAt: row.disabled_at?.toISOString() ?? null,
    hasPassword: row.has_password,
    hasSecondFactor: row.has_second_factor,
    lastSeenAt: row.last_seen_at?.toISOString() ?? null,
  };
  return { ...member, version: versionOf(standing(member)) };
}

/** Which member of which organization, and who acts. */
export interface OnMember {
  organizationId: string;
  memberId: string;
  actorId: string;
  actor: Actor;
}

/**
 * A new role applies to the next request. A disabled member loses the organization at once, and is signed out
 * without another one.
 */
export async function changeMember(
  connection: Connection,
  input: OnMember & {
    role?: "admin" | "viewer" | undefined;
    isDisabled?: boolean | undefined;
    /** The version that was edited. */
    version?: string | undefined;
  },
): Promise<Member> {
  return transaction(connection, async (client) => {
    const { member: before, userId } = await lockMember(client, input);
    if (userId === input.actorId)
      throw invalidInput("You cannot change your own role or disable yourself; ask another admin");
    requireVersion(`The member ${before.email}`, before.version, input.version);
    await setStanding(client, { ...input, userId });
    if (input.isDisabled) await revokeSessionsWithoutMembership(client, userId);
    if (input.isDisabled || input.role === "viewer")
      await endLinksMadeBy(client, userId, input.organizationId);
    const after = await readMember(client, input.organizationId, input.memberId);
    await writeAudit(client, {
      organizationId: input.organizationId,
      actor: input.actor,
      action: "user.update",
      subjectId: input.memberId,
      detail: changesBetween(standing(before), standing(after)),
    });
    return after;
  });
}

/** The membership is in one of the two tables. */
async function setStanding(
  client: pg.ClientBase,
  input: {
    organizationId: string;
    userId: string;
    role?: "admin" | "viewer" | undefined;
    isDisabled?: boolean | undefined;
  },
): Promise<void> {
  for (const [table, person] of [
    ["users", "id"],
    ["memberships", "user_id"],
  ])
    await client.query(
      `update ${table} set role = coalesce($3, role),
         disabled_at = case when $4::boolean is null then disabled_at when $4 then coalesce(disabled_at, now()) end
       where organization_id = $1 and ${person} = $2`,
      [input.organizationId, input.userId, input.role ?? null, input.isDisabled ?? null],
    );
}
