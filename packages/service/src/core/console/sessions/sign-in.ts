import type pg from "pg";
import { transaction, type Connection } from "../../database/transaction.js";
import type { AuditEntry } from "../../audit/audit.js";
import { auditAccount } from "../../organizations/audit-account.js";
import { mayEnter } from "../../organizations/memberships.js";
import { passwordMatches, placeholderPassword } from "../../organizations/passwords.js";
import { checkSecondFactor, type CodeGuard } from "../../organizations/second-factor/second-factors.js";
import { UserError } from "../../refusals/user-error.js";
import { findOrBindIdentity, type Identity } from "../../organizations/provider-identities.js";
import { redeemSignInToken } from "../../organizations/sign-in-links.js";
import { accountKeys } from "../../organizations/account-email.js";
import { proveAddress } from "../../organizations/address-proof.js";
import { hasEmail } from "../../organizations/users.js";
import { findSession } from "./find-session.js";
import { endSession, openSession, type NewSession, type OpenedSession } from "./sessions.js";

/** What stands between a right password or link and a session. */
export interface DoorGuard extends CodeGuard {
  /** Whether it is to be noted that a code was asked for. Every visit to the sign-in page asks, so not each time. */
  notesQuestion(userId: string): Promise<boolean>;
}

/** Where a sign-in comes from, and the session it replaces. */
export interface Visitor {
  address: string;
  userAgent: string | undefined;
  previousToken: string | undefined;
}

interface Candidate {
  id: string;
  password_hash: string | null;
}

/**
 * Undefined if e-mail and password do not fit. The code is looked at after them, so that nobody without the password
 * learns whether there is a second factor, or uses up its attempts. Somebody unknown costs as much time as somebody known: a password is
 * hashed in any case, so the clock does not tell who has an account.
 */
export async function signInByPassword(
  pool: pg.Pool,
  guard: DoorGuard,
  input: { email: string; password: string; code?: string | undefined; visitor: Visitor },
): Promise<OpenedSession | undefined> {
  const { rows } = await pool.query<Candidate>(
    `select id, password_hash from users where ${mayEnter("users")} and ${hasEmail("$1")}`,
    [accountKeys(input.email)],
  );
  const candidate = rows[0];
  const matches = await passwordMatches(
    candidate?.password_hash ?? (await placeholderPassword()),
    input.password,
  );
  if (!candidate?.password_hash || !matches) return undefined;
  const hash = candidate.password_hash;
  return enter(pool, guard, {
    ...input,
    by: "password",
    find: (client) => findUnchanged(client, candidate.id, hash),
  });
}

/** Checking a password takes a while, in which it may have been changed or the person disabled. Neither can happen after this. */
async function findUnchanged(
  client: pg.PoolClient,
  userId: string,
  passwordHash: string,
): Promise<Found | undefined> {
  const { rowCount } = await client.query(
    `select from users where id = $1 and password_hash = $2 and ${mayEnter("users")} for share of users`,
    [userId, passwordHash],
  );
  return rowCount === 0 ? undefined : { userId, isProven: true };
}

/**
 * Undefined if the link is unknown, used or expired, or ended with its maker's access. It stands in for the password alone: links
 * pass through other people's hands and mailboxes, which is what a second factor is for. Without the right code it is not used up.
 */
export async function signInByToken(
  pool: pg.Pool,
  guard: DoorGuard,
  input: { token: string; code?: string | undefined; visitor: Visitor },
): Promise<OpenedSession | undefined> {
  return enter(pool, guard, {
    ...input,
    by: "link",
    find: (client) => openLink(client, input),
  });
}

/** Only an operator's link says who the person is: an admin could open the link that they made. */
async function openLink(
  client: pg.PoolClient,
  { token, visitor }: { token: string; visitor: Visitor },
): Promise<Found | undefined> {
  const link = await redeemSignInToken(client, token);
  if (!link) return undefined;
  const { userId, madeBy, byOperator } = link;
  if (byOperator)
    await proveAddress(client, {
      userId,
      by: "operator",
      keepsCredentials: false,
      address: visitor.address,
    });
  return { userId, isProven: byOperator, linkMadeBy: madeBy };
}

/** Whom a password, a link or the provider names. */
interface Found {
  userId: string;
  /** Whether that shows that it is them. */
  isProven: boolean;
  linkMadeBy?: string | null;
}

interface Entering {
  by: "password" | "link";
  find(client: pg.PoolClient): Promise<Found | undefined>;
  code?: string | undefined;
  visitor: Visitor;
}

async function enter(
  pool: pg.Pool,
  guard: DoorGuard,
  { by, find, code, visitor }: Entering,
): Promise<OpenedSession | undefined> {
  let stopped: { userId: string; action: string } | undefined;
  try {
    return await transaction(pool, async (client) => {
      const found = await find(client);
      if (!found) return undefined;
      const { userId } = found;
      const check = await checkSecondFactor(client, guard, { userId, code });
      if (check === "needed") {
        if (await guard.notesQuestion(userId)) stopped = { userId, action: "user.second-factor-asked" };
        throw new UserError("secondFactorNeeded");
      }
      if (check === "refused") {
        stopped = { userId, action: "user.second-factor-refused" };
        throw new UserError("secondFactorRefused");
      }
      return openFor(client, found, { by, isCodeChecked: check === "fits" }, visitor);
    });
  } catch (error) {
    // Somebody has the password or the link, and not the code: the one thing that its owner should hear of.
    if (stopped)
      await auditEntrance(pool, stopped.userId, visitor, { action: stopped.action, detail: { by } });
    throw error;
  }
}

/** For somebody whom the provider has named. It has asked for whatever factors it asks for. */
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
    return (
      found &&
      openFor(client, { ...found, isProven: true }, { by: "provider", isCodeChecked: false }, visitor)
    );
  });
}

/** A sign-in always makes a new token, so one that was planted or seen before is worth nothing. */
async function openFor(
  client: pg.PoolClient,
  { userId, isProven, linkMadeBy }: Found,
  entrance: Pick<NewSession, "by" | "isCodeChecked">,
  visitor: Visitor,
): Promise<OpenedSession> {
  if (visitor.previousToken) await endSession(client, visitor.previousToken);
  await client.query("delete from sign_in_links where expires_at < now()");
  const session = await openSession(client, { userId, ...visitor, ...entrance, isProven, linkMadeBy });
  await auditEntrance(client, userId, visitor, { action: "user.sign-in", detail: { by: entrance.by } });
  return session;
}

async function auditEntrance(
  connection: Connection,
  userId: string,
  visitor: Visitor,
  entry: Pick<AuditEntry, "action" | "detail">,
): Promise<void> {
  await transaction(connection, async (client) => {
    const { rows } = await client.query<{ email: string }>("select email from users where id = $1", [userId]);
    // Somebody who was stopped at the door may have been removed since.
    if (!rows[0]) return;
    const { email } = rows[0];
    await auditAccount(client, userId, { actor: { email, address: visitor.address }, ...entry });
  });
}
