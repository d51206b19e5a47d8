import type pg from "pg";
import type { AuditEntry } from "../../audit/audit.js";
import { transaction, type Connection } from "../../database/transaction.js";
import { accountKeys } from "../../organizations/account-email.js";
import { proveAddress, auditAccount, hasEmail } from "../../organizations/accounts.js";
import { mayEnter } from "../../organizations/memberships.js";
import { passwordMatches, placeholderPassword } from "../../organizations/passwords.js";
import { checkCode, type VerifyCode } from "../../organizations/second-factor.js";
import { redeemSignInToken } from "../../organizations/sign-in-links.js";
import { UserError } from "../../refusals/user-error.js";
import { endSession, openSession, type NewSession, type OpenedSession } from "./sessions.js";

/** Checks between a correct password or link and the session. */
export interface SignInChecks {
  verifyCode: VerifyCode;
  /** Whether the audit log records that a code was required. */
  shouldAuditCodeRequest(userId: string): Promise<boolean>;
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
 * Undefined if email and password do not match. The code is checked only after them, so that an attacker without the password
 * neither learns whether there is a second factor nor uses up its attempts. An unknown email takes as much time as a known one,
 * because a password is hashed in any case.
 */
export async function signInByPassword(
  pool: pg.Pool,
  checks: SignInChecks,
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
  return signIn(pool, checks, {
    ...input,
    by: "password",
    find: (client) => lockUnchanged(client, candidate.id, hash),
  });
}

/** While the password was checked, it may have been changed or the user disabled. Neither can happen after this. */
async function lockUnchanged(
  client: pg.PoolClient,
  userId: string,
  passwordHash: string,
): Promise<FoundUser | undefined> {
  const { rowCount } = await client.query(
    `select from users where id = $1 and password_hash = $2 and ${mayEnter("users")} for share of users`,
    [userId, passwordHash],
  );
  return rowCount === 0 ? undefined : { userId, isProven: true };
}

/**
 * Undefined if the link is unknown, used or expired, or its maker lost access. It replaces only the password: links pass through
 * other people's hands and mailboxes, so the code is still required. A wrong code does not use the link up.
 */
export async function signInByToken(
  pool: pg.Pool,
  checks: SignInChecks,
  input: { token: string; code?: string | undefined; visitor: Visitor },
): Promise<OpenedSession | undefined> {
  return signIn(pool, checks, {
    ...input,
    by: "link",
    find: (client) => redeemLink(client, input),
  });
}

/** Only an operator's link proves who the user is: an admin could open the link that they made. */
async function redeemLink(
  client: pg.PoolClient,
  { token, visitor }: { token: string; visitor: Visitor },
): Promise<FoundUser | undefined> {
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

/** The user whom a password, a link or a provider names, locked until the session is open. */
interface FoundUser {
  userId: string;
  /** Whether that proves who the user is. */
  isProven: boolean;
  linkMadeBy?: string | null;
}

interface SignIn {
  by: "password" | "link";
  find(client: pg.PoolClient): Promise<FoundUser | undefined>;
  code?: string | undefined;
  visitor: Visitor;
}

async function signIn(
  pool: pg.Pool,
  { verifyCode, shouldAuditCodeRequest }: SignInChecks,
  { by, find, code, visitor }: SignIn,
): Promise<OpenedSession | undefined> {
  let refused: { userId: string; action: string } | undefined;
  try {
    return await transaction(pool, async (client) => {
      const user = await find(client);
      if (!user) return undefined;
      const { userId } = user;
      const check = await checkCode(client, verifyCode, { userId, code });
      if (check === "missing") {
        if (await shouldAuditCodeRequest(userId)) refused = { userId, action: "user.second-factor-asked" };
        throw new UserError("secondFactorNeeded");
      }
      if (check === "wrong") {
        refused = { userId, action: "user.second-factor-refused" };
        throw new UserError("secondFactorRefused");
      }
      return openUserSession(client, user, { by, isCodeChecked: check === "correct" }, visitor);
    });
  } catch (error) {
    // An attacker may have the password or the link but not the code. The owner must be able to see that.
    if (refused) await auditSignIn(pool, refused.userId, visitor, { action: refused.action, detail: { by } });
    throw error;
  }
}

/** Every sign-in makes a new token, so one that was planted or seen before is worthless. */
export async function openUserSession(
  client: pg.PoolClient,
  { userId, isProven, linkMadeBy }: FoundUser,
  session: Pick<NewSession, "by" | "isCodeChecked">,
  visitor: Visitor,
): Promise<OpenedSession> {
  if (visitor.previousToken) await endSession(client, visitor.previousToken);
  await client.query("delete from sign_in_links where expires_at < now()");
  const opened = await openSession(client, { userId, ...visitor, ...session, isProven, linkMadeBy });
  await auditSignIn(client, userId, visitor, { action: "user.sign-in", detail: { by: session.by } });
  return opened;
}

async function auditSignIn(
  connection: Connection,
  userId: string,
  visitor: Visitor,
  entry: Pick<AuditEntry, "action" | "detail">,
): Promise<void> {
  await transaction(connection, async (client) => {
    const { rows } = await client.query<{ email: string }>("select email from users where id = $1", [userId]);
    // A user whose sign-in was refused may have been removed since.
    if (!rows[0]) return;
    const { email } = rows[0];
    await auditAccount(client, userId, { actor: { email, address: visitor.address }, ...entry });
  });
}
