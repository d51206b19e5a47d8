import { isUuid } from "@gatehouse-parking/contract";
import type pg from "pg";
import { transaction, type Connection } from "../database/transaction.js";
import { changesBetween, writeAudit, type Actor } from "../audit/audit.js";
import { requireVersion, versionOf } from "../refusals/changed-meanwhile.js";
import { InvalidInput, NothingFound } from "../refusals/invalid-input.js";
import { resetSecondFactor } from "./second-factor/second-factors.js";
import { createSignInToken } from "./sign-in-links.js";
import { createUser } from "./users.js";

/** A person who belongs to one organization. */
export interface Member {
  uuid: string;
  email: string;
  role: "admin" | "viewer";
  createdAt: string;
  disabledAt: string | null;
  hasPassword: boolean;
  hasSecondFactor: boolean;
  lastSeenAt: string | null;
  /** Of what others may change. */
  version: string;
}

/** The token goes into a one-time link and is shown once. */
export interface InvitedMember {
  member: Member;
  signInToken: string;
}

interface MemberRow {
  id: string;
  email: string;
  role: "admin" | "viewer";
  created_at: Date;
  disabled_at: Date | null;
  has_password: boolean;
  has_second_factor: boolean;
  last_seen_at: Date | null;
}

const maxMembers = 1_000;
const select = `
  select id, email, role, created_at, disabled_at, password_hash is not null as has_password,
         exists (
           select from second_factors where user_id = users.id and confirmed_at is not null
         ) as has_second_factor,
         (select max(last_seen_at) from sessions where user_id = users.id) as last_seen_at
  from users`;

export async function listMembers(pool: pg.Pool, organizationId: string): Promise<Member[]> {
  const { rows } = await pool.query<MemberRow>(
    `${select} where organization_id = $1 order by email_key limit ${maxMembers}`,
    [organizationId],
  );
  return rows.map(toMember);
}

export async function inviteMember(
  connection: Connection,
  input: { organizationId: string; email: string; role: "admin" | "viewer"; actor: Actor },
): Promise<InvitedMember> {
  return transaction(connection, async (client) => {
    const { uuid } = await createUser(client, input);
    return {
      member: await readMember(client, input.organizationId, uuid),
      signInToken: await createSignInToken(client, uuid),
    };
  });
}

/** A new role counts with the next request. A disabled person is signed out and stays out. */
export async function changeMember(
  connection: Connection,
  input: {
    organizationId: string;
    userId: string;
    role?: "admin" | "viewer" | undefined;
    isDisabled?: boolean | undefined;
    /** Which version was looked at. */
    version?: string | undefined;
    actorId: string;
    actor: Actor;
  },
): Promise<Member> {
  if (input.userId === input.actorId)
    throw new InvalidInput("You cannot change your own role or disable yourself; ask another admin");
  return transaction(connection, async (client) => {
    const before = await lockMember(client, input.organizationId, input.userId);
    requireVersion(`The member ${before.email}`, before.version, input.version);
    await client.query(
      `update users set role = coalesce($3, role),
         disabled_at = case when $4::boolean is null then disabled_at when $4 then coalesce(disabled_at, now()) end
       where organization_id = $1 and id = $2`,
      [input.organizationId, input.userId, input.role ?? null, input.isDisabled ?? null],
    );
    if (input.isDisabled) await endAllAccess(client, input.userId);
    const after = await readMember(client, input.organizationId, input.userId);
    await writeAudit(client, {
      organizationId: input.organizationId,
      actor: input.actor,
      action: "user.update",
      subjectId: input.userId,
      detail: changesBetween(standing(before), standing(after)),
    });
    return after;
  });
}

/**
 * For someone who lost the password. The link lets them in to set a new one; until they have, the password, the sessions
 * and the links that they have go on, so that a link made by mistake, or for the wrong person, costs nobody anything.
 */
export async function createMemberLink(
  connection: Connection,
  input: { organizationId: string; userId: string; actor: Actor },
): Promise<InvitedMember> {
  return transaction(connection, async (client) => {
    const { disabledAt } = await lockMember(client, input.organizationId, input.userId);
    if (disabledAt) throw new InvalidInput("This person is disabled; enable them first");
    const signInToken = await createSignInToken(client, input.userId);
    await writeAudit(client, {
      organizationId: input.organizationId,
      actor: input.actor,
      action: "user.create-sign-in-link",
      subjectId: input.userId,
    });
    return { member: await readMember(client, input.organizationId, input.userId), signInToken };
  });
}

/** For somebody who has lost their authenticator and their recovery codes. */
export async function resetMemberSecondFactor(
  connection: Connection,
  input: { organizationId: string; userId: string; actor: Actor },
): Promise<Member> {
  return transaction(connection, async (client) => {
    await lockMember(client, input.organizationId, input.userId);
    await resetSecondFactor(client, input);
    return readMember(client, input.organizationId, input.userId);
  });
}

export async function endAllAccess(client: pg.PoolClient, userId: string): Promise<void> {
  await client.query("delete from sessions where user_id = $1", [userId]);
  await client.query("delete from sign_in_links where user_id = $1", [userId]);
}

/** What others may change of a member. */
function standing({ role, disabledAt }: Pick<Member, "role" | "disabledAt">) {
  return { role, disabled: disabledAt !== null };
}

async function lockMember(client: pg.PoolClient, organizationId: string, userId: string): Promise<Member> {
  if (isUuid(userId))
    await client.query("select from users where organization_id = $1 and id = $2 for update", [
      organizationId,
      userId,
    ]);
  return readMember(client, organizationId, userId);
}

async function readMember(client: pg.PoolClient, organizationId: string, userId: string): Promise<Member> {
  const { rows } = isUuid(userId)
    ? await client.query<MemberRow>(`${select} where organization_id = $1 and id = $2`, [
        organizationId,
        userId,
      ])
    : { rows: [] };
  if (!rows[0]) throw new NothingFound(`There is no member ${userId}`);
  return toMember(rows[0]);
}

function toMember(row: MemberRow): Member {
  const member = {
    uuid: row.id,
    email: row.email,
    role: row.role,
    createdAt: row.created_at.toISOString(),
    disabledAt: row.disabled_at?.toISOString() ?? null,
    hasPassword: row.has_password,
    hasSecondFactor: row.has_second_factor,
    lastSeenAt: row.last_seen_at?.toISOString() ?? null,
  };
  return { ...member, version: versionOf(standing(member)) };
}
