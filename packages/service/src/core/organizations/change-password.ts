import type pg from "pg";
import { transaction, type Connection } from "../database/transaction.js";
import type { Actor } from "../audit/audit.js";
import { invalidInput, notFoundError } from "../refusals/user-error.js";
import { auditAccount, lockOwnAccount, type OnOwnAccount } from "./accounts.js";
import { listOwnOrganizations } from "./organizations.js";
import { endAllAccess, mayEnter } from "./memberships.js";
import { hashPassword, passwordMatches } from "./passwords.js";
import { hasSecondFactor, requireCode, type VerifyCode } from "./second-factor.js";

/** How long a sign-in with the provider, or by an operator's link to an account without a password, counts as proof. */
export const freshProofMinutes = 10;

interface Proving extends OnOwnAccount {
  currentPassword?: string | undefined;
  /** Of the second factor. */
  code?: string | undefined;
}

interface ProvingRow {
  email: string;
  password_hash: string | null;
  is_proven: boolean;
  has_second_factor: boolean;
  by_link: boolean;
  is_session_proven: boolean;
  is_fresh: boolean;
}

/** Sets the password and ends all sessions, so that stolen sessions end too. */
export async function changePassword(
  connection: Connection,
  verifyCode: VerifyCode,
  input: Proving & { newPassword: string; actor: Actor },
): Promise<void> {
  await transaction(connection, async (client) => {
    const { email } = await requireProof(client, verifyCode, input);
    const names = (await listOwnOrganizations(client, input.userId)).map(({ name }) => name);
    const newHash = await hashPassword(input.newPassword, [email, ...names]);
    await client.query("update users set password_hash = $2 where id = $1", [input.userId, newHash]);
    await endAllAccess(client, input.userId);
    await auditAccount(client, input.userId, { actor: input.actor, action: "user.change-password" });
  });
}

/**
 * Call it before credentials change: an unlocked screen or a link from an admin is not enough. It requires the
 * current password, a code, or a recent sign-in with the provider. An operator's link is enough only for an account
 * without a password, because links pass through other people's hands. Locks the account.
 */
export async function requireProof(
  client: pg.ClientBase,
  verifyCode: VerifyCode,
  input: Proving,
): Promise<{ email: string }> {
  const user = await lockForProof(client, input);
  if (!(await isProven(client, verifyCode, user, input))) throw invalidInput(refusalOf(user, input));
  return user;
}

function refusalOf(user: ProvingRow, { currentPassword }: Proving): string {
  if (user.password_hash === null)
    return `Sign in again first. Within ${freshProofMinutes} minutes of signing in with the provider, or with a link from an operator, this is possible`;
  if (user.by_link && currentPassword === undefined)
    return "This link does not replace your password. Enter the current one or a code of your second factor, or sign in with the provider. If you cannot, an admin can remove you and invite you again";
  return "The current password is incorrect";
}

async function lockForProof(client: pg.ClientBase, input: Proving): Promise<ProvingRow> {
  await lockOwnAccount(client, input);
  const { rows } = await client.query<ProvingRow>(
    `select users.email, users.password_hash, users.address_proven_at is not null as is_proven,
            ${hasSecondFactor("users.id")} as has_second_factor,
            session.by_link, session.proven_at is not null as is_session_proven,
            (session.by_provider or session.by_link and users.password_hash is null)
              and coalesce(session.proven_at > now() - make_interval(mins => $3), false) as is_fresh
     from users join sessions as session on session.user_id = users.id and session.token_hash = $2
     where users.id = $1 and ${mayEnter("users")}`,
    [input.userId, input.sessionHash, freshProofMinutes],
  );
  if (!rows[0]) throw notFoundError(`There is no user ${input.userId}`);
  return rows[0];
}

async function isProven(
  client: pg.ClientBase,
  verifyCode: VerifyCode,
  user: ProvingRow,
  { userId, currentPassword, code }: Proving,
): Promise<boolean> {
  if (currentPassword !== undefined && user.password_hash !== null)
    return passwordMatches(user.password_hash, currentPassword);
  if (code !== undefined) {
    await requireCode(client, verifyCode, userId, code);
    return true;
  }
  return user.is_fresh || isFirstSetUp(user);
}

/**
 * A user who came by an invitation and has no credentials yet. Once the address is proven, a link from an admin
 * cannot add a password.
 */
function isFirstSetUp(user: ProvingRow): boolean {
  const hasNothing = user.password_hash === null && !user.has_second_factor;
  return user.by_link && hasNothing && (user.is_session_proven || !user.is_proven);
}
