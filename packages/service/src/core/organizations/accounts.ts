import type pg from "pg";
import { writeAudit, type Actor, type AuditEntry } from "../audit/audit.js";
import { transaction, type Connection } from "../database/transaction.js";
import { invalidInput, notFoundError, UserError } from "../refusals/user-error.js";
import { uuidv7 } from "../uuidv7.js";
import { accountKey, accountKeys, checkEmail } from "./account-email.js";
import { everyMembership, mayEnter, lockAccounts, organizationsOpenTo, endAllAccess } from "./memberships.js";
import { requireOrganization } from "./organizations.js";
import { hashPassword } from "./passwords.js";
import { deleteSecondFactor } from "./second-factor.js";

export const roles = ["operator", "admin", "viewer"] as const;
export type Role = (typeof roles)[number];

/** A user of the console with the role in the first organization. Further organizations are in memberships. */
export interface User {
  uuid: string;
  email: string;
  role: Role;
  /** Null for operators, who see all organizations. */
  organizationUuid: string | null;
  createdAt: string;
  disabledAt: string | null;
}

export interface UserInput {
  email: string;
  role: string;
  organizationId?: string | undefined;
  /** Undefined: the person signs in by a one-time link first. */
  password?: string | undefined;
  actor: Actor;
}

interface UserRow {
  id: string;
  email: string;
  role: Role;
  organization_id: string | null;
  created_at: Date;
  disabled_at: Date | null;
}

const columns = "id, email, role, organization_id, created_at, disabled_at";

/** For the command line. Its user vouches for the address, so it counts as proven. */
export async function createUser(connection: Connection, input: UserInput): Promise<User> {
  const email = checkEmail(input.email);
  const role = checkRole(input.role, input.organizationId);
  return transaction(connection, async (client) => {
    const organization = input.organizationId && (await requireOrganization(client, input.organizationId));
    const known = organization ? [email, organization.name] : [email];
    const passwordHash = input.password === undefined ? null : await hashPassword(input.password, known);
    const user = await addUser(client, { ...input, email, role, passwordHash, isAddressProven: true });
    if (!user)
      throw invalidInput(
        `There is already a user with the email ${email}. To let them into another organization, use gatehouse user add`,
      );
    return user;
  });
}

/** Undefined if there is an account with this address already. */
export async function addUser(
  client: pg.ClientBase,
  input: {
    email: string;
    role: Role;
    organizationId?: string | undefined;
    passwordHash: string | null;
    /** Whether an operator confirms who owns the address. */
    isAddressProven: boolean;
    actor: Actor;
  },
): Promise<User | undefined> {
  const { rows } = await client.query<UserRow>(
    `insert into users (id, email, email_key, password_hash, role, organization_id, address_proven_at, address_proven_by)
     select $1::uuid, $2, $3, $4, $5, $6::uuid, case when $7::boolean then now() end, case when $7 then 'operator' end
     where not exists (select from users where email_key = any ($8::text[]))
     on conflict (email_key) do nothing returning ${columns}`,
    [
      uuidv7(),
      input.email,
      accountKey(input.email),
      input.passwordHash,
      input.role,
      input.organizationId ?? null,
      input.isAddressProven,
      accountKeys(input.email),
    ],
  );
  if (!rows[0]) return undefined;
  const user = toUser(rows[0]);
  await writeAudit(client, {
    organizationId: user.organizationUuid,
    actor: input.actor,
    action: "user.create",
    subjectId: user.uuid,
    detail: { email: user.email, role: user.role },
  });
  return user;
}

/** Whether anyone could sign in to the console with a password or is signed in. */
export async function someoneCanSignIn(client: pg.ClientBase | pg.Pool): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    `select exists (select from users where password_hash is not null and ${mayEnter("users")})
       or exists (select from sessions where expires_at > now()) as found`,
  );
  return rows[0]?.found === true;
}

/** Reads the audit log, because sessions and used links are deleted. */
export async function hasSignedIn(client: pg.ClientBase | pg.Pool, userId: string): Promise<boolean> {
  const { rowCount } = await client.query(
    "select from audit_log where action = 'user.sign-in' and subject_id = $1 limit 1",
    [userId],
  );
  return rowCount !== 0;
}

function checkRole(text: string, organizationId: string | undefined): Role {
  const role = roles.find((known) => known === text);
  if (!role) throw invalidInput(`"${text}" is not a role; there are ${roles.join(", ")}`);
  if (role === "operator" && organizationId)
    throw invalidInput("An operator sees all organizations; leave the organization out");
  if (role !== "operator" && !organizationId)
    throw invalidInput(`${role === "admin" ? "An admin" : "A viewer"} belongs to an organization; name it`);
  return role;
}

function toUser(row: UserRow): User {
  return {
    uuid: row.id,
    email: row.email,
    role: row.role,
    organizationUuid: row.organization_id,
    createdAt: row.created_at.toISOString(),
    disabledAt: row.disabled_at?.toISOString() ?? null,
  };
}

/** An account, locked against changes of its memberships. */
export interface LockedAccount {
  id: string;
  email: string;
  role: Role;
  organization_id: string | null;
}

/** SQL condition and order for users: finds the account of an address by the parameter that has its accountKeys. */
export function hasEmail(keys: string): string {
  return `email_key = any (${keys}::text[]) order by array_position(${keys}::text[], email_key) limit 1`;
}

/** Undefined if no account has the address. */
export async function lockAccount(client: pg.ClientBase, email: string): Promise<LockedAccount | undefined> {
  const { rows } = await client.query<LockedAccount>(
    `select id, email, role, organization_id from users where ${hasEmail("$1")} for update`,
    [accountKeys(email)],
  );
  return rows[0];
}

/** For the command line, which names people by their address. */
export async function lockUserByEmail(client: pg.ClientBase, email: string): Promise<LockedAccount> {
  const account = await lockAccount(client, email);
  if (!account) throw notFoundError(`There is no user ${email}`);
  return account;
}

/** A user who changes how they sign in, and the session that they use for it. */
export interface OnOwnAccount {
  userId: string;
  /** SHA-256 of the session's token. */
  sessionHash: Buffer;
}

/**
 * Locks the account, as everything that ends its sessions does. A request that waited while its session ended must
 * not open another one.
 */
export async function lockOwnAccount(
  client: pg.ClientBase,
  { userId, sessionHash }: OnOwnAccount,
  /** Another user whose rights matter, locked in the same step. */
  otherId: string | null | undefined = null,
): Promise<void> {
  await lockAccounts(client, [userId, otherId ?? null]);
  const { rowCount } = await client.query("select from sessions where token_hash = $1 and user_id = $2", [
    sessionHash,
    userId,
  ]);
  if (rowCount === 0) throw new UserError("signedOut");
}

/**
 * Records an event of an account, such as a sign-in, in the audit log of every organization that is open to the
 * account. Without an open one, the first organization gets the entry. Entries about operators belong to no
 * organization.
 */
export async function auditAccount(
  client: pg.ClientBase,
  userId: string,
  entry: Omit<AuditEntry, "organizationId" | "subjectId">,
): Promise<void> {
  const { rows } = await client.query<{ organization_id: string | null; open: string[] }>(
    `select organization_id, array(${organizationsOpenTo("users.id")}) as open from users where id = $1`,
    [userId],
  );
  for (const { organization_id: first, open } of rows)
    for (const organizationId of open.length > 0 ? open : [first])
      await writeAudit(client, { ...entry, organizationId, subjectId: userId });
}

/** How the address of an account was proven: by an operator's link, or by the provider. */
export type AddressProof = "operator" | "provider";

/**
 * Marks the address of a locked account as proven. The first proof removes all earlier credentials: an admin who
 * invited the address could have opened the invitation and set a password and a second factor that lock the owner
 * out. `keepsCredentials` is for a session that was opened with them, so they belong to the same person.
 */
export async function proveAddress(
  client: pg.ClientBase,
  input: { userId: string; by: AddressProof; keepsCredentials: boolean; address: string },
): Promise<void> {
  const { userId, by, keepsCredentials } = input;
  const { rows } = await client.query<{ email: string; had_password: boolean }>(
    `select email, password_hash is not null as had_password from users
     where id = $1 and address_proven_at is null`,
    [userId],
  );
  const user = rows[0];
  if (!user) return;
  await client.query(
    `update users set address_proven_at = now(), address_proven_by = $2,
       password_hash = case when $3 then password_hash end
     where id = $1`,
    [userId, by, keepsCredentials],
  );
  const hadSecondFactor = !keepsCredentials && (await deleteSecondFactor(client, userId));
  if (!keepsCredentials) await endAllAccess(client, userId);
  await auditAccount(client, userId, {
    actor: { email: user.email, address: input.address },
    action: "user.prove-address",
    detail: {
      by,
      removedPassword: user.had_password && !keepsCredentials,
      removedSecondFactor: hadSecondFactor,
    },
  });
}

/** Memberships of a user, with invitations that are not accepted yet. */
export async function showUser(connection: Connection, wanted: string) {
  return transaction(connection, async (client) => {
    const { id: uuid, email, role } = await lockUserByEmail(client, wanted);
    const { rows } = await client.query<{
      organization_id: string;
      name: string;
      role: string;
      is_accepted: boolean;
      disabled_at: Date | null;
    }>(
      `select membership.organization_id, organization.name, membership.role, membership.is_accepted, membership.disabled_at
       from ${everyMembership} as membership join organizations as organization on organization.id = membership.organization_id
       where membership.user_id = $1 order by organization.name, organization.id`,
      [uuid],
    );
    const memberships = rows.map((row) => ({
      organizationUuid: row.organization_id,
      organizationName: row.name,
      role: row.role,
      acceptedInvitation: row.is_accepted,
      disabledAt: row.disabled_at?.toISOString() ?? null,
    }));
    return { uuid, email, isOperator: role === "operator", memberships };
  });
}
