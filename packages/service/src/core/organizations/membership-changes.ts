import type pg from "pg";
import { writeAudit, type Actor } from "../audit/audit.js";
import { transaction, type Connection } from "../database/transaction.js";
import { invalidInput, notFoundError } from "../refusals/user-error.js";
import { uuidv7 } from "../uuidv7.js";
import { lockUserByEmail } from "./accounts.js";
import { type OnMember, lockMember } from "./members.js";
import {
  endAllAccess,
  requireMembershipLimit,
  revokeSessionsWithoutMembership,
  everyMembership,
} from "./memberships.js";
import { requireOrganization } from "./organizations.js";
import { endLinksMadeBy } from "./sign-in-links.js";

/**
 * Adds a user to another organization without an invitation. For the command line, whose user vouches for the
 * account. Sessions and links end, because they were opened without access to this organization. The password
 * stays.
 */
export async function addMembership(
  connection: Connection,
  input: { email: string; organizationId: string; role: "admin" | "viewer"; actor: Actor },
): Promise<{ uuid: string; email: string; role: string; organizationUuid: string }> {
  return transaction(connection, async (client) => {
    await requireOrganization(client, input.organizationId);
    const account = await lockUserByEmail(client, input.email);
    if (account.role === "operator")
      throw invalidInput(`${account.email} is an operator and sees all organizations`);
    await requireMembershipLimit(client, account.id);
    const { rowCount } = await client.query(
      `insert into memberships as stored (id, user_id, organization_id, email, role, accepted_at)
       select $1::uuid, $2::uuid, $3::uuid, $4, $5, now() where $3 is distinct from $6::uuid
       on conflict (user_id, organization_id) do update
       set role = excluded.role, accepted_at = now(), disabled_at = null, invitation_hash = null,
           invitation_expires_at = null
       where stored.accepted_at is null`,
      [uuidv7(), account.id, input.organizationId, account.email, input.role, account.organization_id],
    );
    if (rowCount === 0) throw invalidInput(`${account.email} already belongs to this organization`);
    await endAllAccess(client, account.id);
    const { email, id: uuid } = account;
    await writeAudit(client, {
      organizationId: input.organizationId,
      actor: input.actor,
      action: "user.create",
      subjectId: uuid,
      detail: { email, role: input.role },
    });
    return { uuid, email, role: input.role, organizationUuid: input.organizationId };
  });
}

/** Deletes what a feature stores for a member of an organization, in the transaction that removes the member. */
export type DeleteMemberData = (
  client: pg.ClientBase,
  member: { organizationId: string; userId: string },
) => Promise<void>;

interface Removal {
  features: readonly { deleteMemberData?: DeleteMemberData }[];
}

/** Removes a user from one organization. Their other organizations are unaffected. */
export async function removeMember(connection: Connection, input: OnMember & Removal): Promise<void> {
  await transaction(connection, async (client) => {
    const { member, userId } = await lockMember(client, input);
    if (userId === input.actorId) throw invalidInput("You cannot remove yourself; ask another admin");
    await takeOut(client, { ...input, ...member, userId, memberId: member.uuid });
  });
}

/** For the command line, which names users by their email. */
export async function removeMemberByEmail(
  connection: Connection,
  input: Removal & { email: string; organizationId: string; actor: Actor },
): Promise<{ email: string; isAccountDeleted: boolean }> {
  return transaction(connection, async (client) => {
    const { id: userId, email } = await lockUserByEmail(client, input.email);
    const { rows } = await client.query<{ member_id: string; role: string }>(
      `select member_id, role from ${everyMembership} as membership
       where user_id = $1 and organization_id::text = lower($2)`,
      [userId, input.organizationId],
    );
    if (!rows[0]) throw notFoundError(`${email} does not belong to the organization ${input.organizationId}`);
    const { member_id: memberId, role } = rows[0];
    const isAccountDeleted = await takeOut(client, { ...input, userId, memberId, email, role });
    return { email, isAccountDeleted };
  });
}

interface Leaving extends Removal {
  organizationId: string;
  userId: string;
  memberId: string;
  email: string;
  role: string;
  actor: Actor;
}

/** Returns whether the account was deleted, which happens with the last organization. */
async function takeOut(client: pg.ClientBase, leaving: Leaving): Promise<boolean> {
  const { organizationId, userId, memberId, email, role, actor, features } = leaving;
  const { rowCount: further } = await client.query(
    "delete from memberships where organization_id = $1 and user_id = $2",
    [organizationId, userId],
  );
  for (const { deleteMemberData } of features) await deleteMemberData?.(client, { organizationId, userId });
  await endLinksMadeBy(client, userId, organizationId);
  const isAccountDeleted = further === 0 && !(await moveToAnother(client, userId));
  if (isAccountDeleted) {
    await auditInvitations(client, userId);
    await client.query("delete from users where id = $1", [userId]);
  } else await revokeSessionsWithoutMembership(client, userId);
  await writeAudit(client, {
    organizationId,
    actor,
    action: "user.remove",
    subjectId: memberId,
    detail: { email, role },
  });
  return isAccountDeleted;
}

/** Open invitations are deleted with the account. The organizations that sent them see that, but not who removed it. */
async function auditInvitations(client: pg.ClientBase, userId: string): Promise<void> {
  const { rows } = await client.query<{ id: string; organization_id: string; email: string; role: string }>(
    "select id, organization_id, email, role from memberships where user_id = $1 and accepted_at is null",
    [userId],
  );
  for (const { id, organization_id: organizationId, email, role } of rows)
    await writeAudit(client, {
      organizationId,
      actor: "account removed",
      action: "user.remove",
      subjectId: id,
      detail: { email, role },
    });
}

/**
 * Replaces the first organization by the oldest other membership, an open one if possible. Invitations that were
 * not accepted do not count, because their senders have no right to the account.
 */
async function moveToAnother(client: pg.ClientBase, userId: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `with next as (
       delete from memberships where id = (
         select id from memberships where user_id = $1 and accepted_at is not null
         order by disabled_at is not null, accepted_at, id limit 1
       )
       returning organization_id, role, disabled_at, created_at
     )
     update users set organization_id = next.organization_id, role = next.role, disabled_at = next.disabled_at,
                      member_since = next.created_at
     from next where users.id = $1`,
    [userId],
  );
  return rowCount === 1;
}
