import type pg from "pg";
import { invalidInput } from "../refusals/user-error.js";

/** Limited, because a sign-in is recorded in each of them. */
export const maxOrganizationsOfAPerson = 100;

/**
 * All memberships, as a table expression. The first organization of a user is in users, further ones are in
 * memberships. Before it is accepted, a membership has the identifier of the invitation.
 */
export const everyMembership = `(
  select id as user_id, id as member_id, organization_id, role, email, disabled_at, true as is_accepted,
         coalesce(member_since, created_at) as since
  from users where organization_id is not null
  union all
  select user_id, case when accepted_at is null then id else user_id end, organization_id, role, email, disabled_at,
         accepted_at is not null, created_at
  from memberships
)`;

/** Memberships that give access to their organization. */
export const openMembership = `(
  select user_id, organization_id, role from ${everyMembership} as membership where is_accepted and disabled_at is null
)`;

/** SQL condition on users: enabled operators, and users with at least one open organization. */
export function mayEnter(users: string): string {
  return `(${users}.disabled_at is null or ${users}.role <> 'operator' and exists (
    select from memberships
    where user_id = ${users}.id and accepted_at is not null and memberships.disabled_at is null
  ))`;
}

/** SQL: the identifiers of the organizations that are open to a user. `person` is an expression for the user id. */
export function organizationsOpenTo(person: string): string {
  return `(select organization_id from ${openMembership} as membership where user_id = ${person})`;
}

/** SQL: the role of a user in an organization, or null if it is not open to them. */
export function roleIn(organization: string, users: string): string {
  return `case when ${users}.role = 'operator' then 'operator' else (
    select role from ${openMembership} as membership
    where user_id = ${users}.id and organization_id = ${organization}
  ) end`;
}

/** Counts organizations where the user is disabled, too. */
export async function belongsElsewhere(
  client: pg.ClientBase,
  userId: string,
  organizationId: string,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from ${everyMembership} as membership
     where user_id = $1 and is_accepted and organization_id <> $2 limit 1`,
    [userId, organizationId],
  );
  return rowCount !== 0;
}

/** Call it before adding a membership, with the user locked. */
export async function requireMembershipLimit(client: pg.ClientBase, userId: string): Promise<void> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from ${everyMembership} as membership where user_id = $1 and is_accepted`,
    [userId],
  );
  if ((rows[0]?.count ?? 0) >= maxOrganizationsOfAPerson)
    throw invalidInput(`A person belongs to at most ${maxOrganizationsOfAPerson} organizations`);
}

/** A user who has another open organization keeps sessions and links. */
export async function revokeSessionsWithoutMembership(client: pg.ClientBase, userId: string): Promise<void> {
  const { rowCount } = await client.query(`select from users where id = $1 and ${mayEnter("users")}`, [
    userId,
  ]);
  if (rowCount === 0) await endAllAccess(client, userId);
}

/** Links before sessions, in the order in which a sign-in writes them, to prevent deadlocks. */
export async function endAllAccess(client: pg.ClientBase, userId: string): Promise<void> {
  await client.query("delete from sign_in_links where user_id = $1", [userId]);
  await client.query("delete from sessions where user_id = $1", [userId]);
}

/** Locks accounts against changes of memberships and credentials. All callers lock in one order. */
export async function lockAccounts(
  client: pg.ClientBase,
  userIds: readonly (string | null)[],
): Promise<void> {
  await client.query("select from users where id = any ($1::uuid[]) order by id for update", [userIds]);
}
