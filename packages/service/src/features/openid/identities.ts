import type pg from "pg";
import type { Actor } from "../../core/audit/audit.js";
import { findSession } from "../../core/console/sessions/find-session.js";
import type { OpenedSession } from "../../core/console/sessions/sessions.js";
import { openUserSession, type Visitor } from "../../core/console/sessions/sign-in.js";
import { transaction } from "../../core/database/transaction.js";
import { accountKeys, isPlainEmail } from "../../core/organizations/account-email.js";
import { proveAddress, auditAccount, hasEmail, lockUserByEmail } from "../../core/organizations/accounts.js";
import { mayEnter } from "../../core/organizations/memberships.js";
import { hasSecondFactor } from "../../core/organizations/second-factor.js";
import { UserError } from "../../core/refusals/user-error.js";

/** A user's identity at an OpenID provider. */
export interface Identity {
  issuer: string;
  /** Never changes at the provider and is never reassigned, unlike an email address. */
  subject: string;
  /** Undefined: the provider does not verify one. */
  verifiedEmail: string | undefined;
}

/** Where the provider's answer arrived. */
export interface ProviderVisit {
  address: string;
  /** The session of the browser, and whether it was opened with the password. */
  signedIn: { id: string; byPassword: boolean } | undefined;
}

/** The provider has already asked for the factors that it requires. */
export async function signInByIdentity(
  pool: pg.Pool,
  { identity, visitor }: { identity: Identity; visitor: Visitor },
): Promise<OpenedSession | undefined> {
  const current = visitor.previousToken && (await findSession(pool, visitor.previousToken, undefined));
  const signedIn = current
    ? { id: current.person.id, byPassword: !current.person.byLink && !current.person.byProvider }
    : undefined;
  return transaction(pool, async (client) => {
    const found = await findOrBindIdentity(client, identity, { address: visitor.address, signedIn });
    if (found === "secondFactorFirst")
      throw new UserError("providerRefused", [
        "You have a second factor. Sign in with your password first, and connect the provider on the page Your account",
      ]);
    if (!found) return undefined;
    const session = { by: "provider", isCodeChecked: false } as const;
    return openUserSession(client, { ...found, isProven: true }, session, visitor);
  });
}

/**
 * The user of this identity, with the account locked until the session is open. The first sign-in links the
 * identity to the account that was invited with the verified address. After that only this identity signs in
 * to the account, so a later owner of the address cannot.
 */
export async function findOrBindIdentity(
  client: pg.ClientBase,
  identity: Identity,
  visit: ProviderVisit,
): Promise<{ userId: string } | "secondFactorFirst" | undefined> {
  const { rows } = await client.query<{ id: string; version: string }>(
    `select users.id, users.xmin::text as version
     from provider_identities as identity join users on users.id = identity.user_id
     where identity.issuer = $1 and identity.subject = $2`,
    [identity.issuer, identity.subject],
  );
  return rows[0] ? lockKnown(client, identity, rows[0]) : bindByAddress(client, identity, visit);
}

/**
 * Unlinking the identity and resetting the account lock it first. A sign-in that waited for that is rejected,
 * because the account has another version or the identity is no longer linked.
 */
async function lockKnown(
  client: pg.ClientBase,
  { issuer, subject }: Identity,
  { id, version }: { id: string; version: string },
): Promise<{ userId: string } | undefined> {
  const locked = await client.query(
    `select from users where id = $1 and xmin::text = $2 and ${mayEnter("users")} for share of users`,
    [id, version],
  );
  if (locked.rowCount === 0) return undefined;
  const bound = await client.query(
    "select from provider_identities where issuer = $1 and subject = $2 and user_id = $3",
    [issuer, subject, id],
  );
  return bound.rowCount === 0 ? undefined : { userId: id };
}

interface Invited {
  id: string;
  email: string;
  is_proven: boolean;
  has_second_factor: boolean;
}

/**
 * A verified address proves who owns the account, and removes credentials that were set before without such
 * proof. It does not replace the second factor of an owner who proved the address, so their account is linked
 * only while they are signed in.
 */
async function bindByAddress(
  client: pg.ClientBase,
  { issuer, subject, verifiedEmail }: Identity,
  { address, signedIn }: ProviderVisit,
): Promise<{ userId: string } | "secondFactorFirst" | undefined> {
  if (verifiedEmail === undefined || !isPlainEmail(verifiedEmail)) return undefined;
  const { rows } = await client.query<Invited>(
    `select id, email, address_proven_at is not null as is_proven, ${hasSecondFactor("users.id")} as has_second_factor
     from users where ${mayEnter("users")} and ${hasEmail("$1")} for update of users`,
    [accountKeys(verifiedEmail)],
  );
  const person = rows[0];
  if (!person) return undefined;
  const isSignedIn = person.id === signedIn?.id;
  if (person.is_proven && person.has_second_factor && !isSignedIn) return "secondFactorFirst";
  const { rowCount } = await client.query(
    "insert into provider_identities (issuer, subject, user_id) values ($1, $2, $3) on conflict do nothing",
    [issuer, subject, person.id],
  );
  if (rowCount === 0) return undefined;
  const keepsCredentials = isSignedIn && signedIn.byPassword;
  await proveAddress(client, { userId: person.id, by: "provider", keepsCredentials, address });
  await auditAccount(client, person.id, {
    actor: { email: person.email, address },
    action: "user.bind-provider",
    detail: { issuer, subject },
  });
  return { userId: person.id };
}

/** For a user whose account at the provider changed, or who was linked by mistake. */
export async function unbindProvider(
  pool: pg.Pool,
  input: { email: string; actor: Actor },
): Promise<{ uuid: string; email: string; unbound: { issuer: string; subject: string }[] }> {
  return transaction(pool, async (client) => {
    const { id: userId, email } = await lockUserByEmail(client, input.email);
    const { rows: unbound } = await client.query<{ issuer: string; subject: string }>(
      "delete from provider_identities where user_id = $1 returning issuer, subject",
      [userId],
    );
    await client.query("delete from sessions where user_id = $1 and by_provider", [userId]);
    await auditAccount(client, userId, {
      actor: input.actor,
      action: "user.unbind-provider",
      detail: { unbound },
    });
    return { uuid: userId, email, unbound };
  });
}
