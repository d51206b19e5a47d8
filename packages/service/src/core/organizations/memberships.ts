import type pg from "pg";
import { invalidInput } from "../refusals/user-error.js";

/** To how many organizations one person may belong. A sign-in is written down in each of them. */
export const maxOrganizationsOfAPerson = 100;

/**
 * Who belongs to which organization, as a table in a statement: the first organization of a person lies in users, further ones in
 * memberships. Whoever has not accepted yet goes by the identifier of the invitation.
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

/** Those that open their organization. */
export const openMembership = `(
  select user_id, organization_id, role from ${everyMembership} as membership where is_accepted and disabled_at is null
)`;

/** A condition on users: whether somebody may come in at all. An operator, or somebody whom an organization is open to. */
export function mayEnter(users: string): string {
  return `(${users}.disabled_at is null or ${users}.role <> 'operator' and exists (
    select from memberships
    where user_id = ${users}.id and accepted_at is not null and memberships.disabled_at is null
  ))`;
}

/** The organizations that are open to somebody, by their identifiers; `person` is an expression for theirs. */
export function organizationsOpenTo(person: string): string {
  return `(select organization_id from ${openMembership} as membership where user_id = ${person})`;
}

/** What somebody is in an organization: an expression that is null if it is not open to them. */
export function roleIn(organization: string, users: string): string {
  return `case when ${users}.role = 'operator' then 'operator' else (
    select role from ${openMembership} as membership
    where user_id = ${users}.id and organization_id = ${organization}
  ) end`;
}

/** Whether somebody belongs to other organizations too, even to one that is closed to them at the moment. */
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

/** Before one more is added, with the person's row locked. */
export async function requireRoomForOneMore(client: pg.ClientBase, userId: string): Promise<void> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from ${everyMembership} as membership where user_id = $1 and is_accepted`,
    [userId],
  );
  if ((rows[0]?.count ?? 0) >= maxOrganizationsOfAPerson)
    throw invalidInput(`A person belongs to at most ${maxOrganizationsOfAPerson} organizations`);
}

/** Ends sessions and links of somebody who may not come in any more. Whoever has another organization keeps theirs. */
export async function revokeSessionsWithoutMembership(client: pg.ClientBase, userId: string): Promise<void> {
  const { rowCount } = await client.query(`select from users where id = $1 and ${mayEnter("users")}`, [
    userId,
  ]);
  if (rowCount === 0) await endAllAccess(client, userId);
}

/** Links before sessions, in the order in which a sign-in writes them, so that no two transactions wait for each other. */
export async function endAllAccess(client: pg.ClientBase, userId: string): Promise<void> {
  await client.query("delete from sign_in_links where user_id = $1", [userId]);
  await client.query("delete from sessions where user_id = $1", [userId]);
}

/** Locks accounts against every change of where their people belong and how they sign in. All callers lock in one order. */
export async function lockAccounts(
  client: pg.ClientBase,
  userIds: readonly (string | null)[],
): Promise<void> {
  await client.query("select from users where id = any ($1::uuid[]) order by id for update", [userIds]);
}
