import { randomBytes } from "node:crypto";
import type pg from "pg";
import type { Actor } from "../../core/audit/audit.js";
import { transaction, type Connection } from "../../core/database/transaction.js";
import { auditAccount, lockUserByEmail } from "../../core/organizations/accounts.js";
import { sealSecret } from "../../core/organizations/secrets.js";
import { lockMember, readMember, type Member, type OnMember } from "../../core/organizations/members.js";
import {
  deleteSecondFactor,
  requireCode,
  wrongCode,
  type VerifyCode,
} from "../../core/organizations/second-factor.js";
import { invalidInput } from "../../core/refusals/user-error.js";
import { replaceRecoveryCodes } from "./recovery-codes.js";
import { secretBytes, toBase32, totpAddress } from "./totp.js";

/** For an authenticator app. It is shown once. */
export interface NewSecondFactor {
  secret: string;
  address: string;
}

interface OwnCode {
  userId: string;
  actor: Actor;
  code: string;
}

export async function showSecondFactor(
  pool: pg.Pool,
  userId: string,
): Promise<{ confirmedAt: string | null; recoveryCodesLeft: number }> {
  const { rows } = await pool.query<{ confirmed_at: Date | null; codes: number }>(
    `select (select confirmed_at from second_factors where user_id = $1) as confirmed_at,
            (select count(*)::int from recovery_codes where user_id = $1) as codes`,
    [userId],
  );
  const { confirmed_at, codes } = rows[0] as { confirmed_at: Date | null; codes: number };
  return { confirmedAt: confirmed_at?.toISOString() ?? null, recoveryCodesLeft: codes };
}

/** The new secret counts only after a code has shown that an app has it. */
export async function startSecondFactor(
  connection: Connection,
  secretKey: Buffer,
  { userId, email }: { userId: string; email: string },
): Promise<NewSecondFactor> {
  const secret = randomBytes(secretBytes);
  const { rowCount } = await connection.query(
    `insert into second_factors as stored (user_id, sealed_secret) values ($1, $2)
     on conflict (user_id) do update set sealed_secret = excluded.sealed_secret, created_at = now()
     where stored.confirmed_at is null`,
    [userId, sealSecret(secretKey, userId, secret.toString("base64"), "second factor")],
  );
  if (rowCount === 0) throw invalidInput("You already have a second factor; remove it first");
  return { secret: toBase32(secret), address: totpAddress(secret, email) };
}

/** Returns the recovery codes, which are shown once. */
export async function confirmSecondFactor(
  connection: Connection,
  verifyCode: VerifyCode,
  { userId, actor, code }: OwnCode,
): Promise<string[]> {
  return transaction(connection, async (client) => {
    const { rowCount } = await client.query(
      "select from second_factors where user_id = $1 and confirmed_at is null for update",
      [userId],
    );
    if (rowCount === 0) throw invalidInput("There is no second factor to confirm; start again");
    if (!(await verifyCode(client, userId, code))) throw wrongCode();
    await client.query("update second_factors set confirmed_at = now() where user_id = $1", [userId]);
    await auditAccount(client, userId, {
      actor,
      action: "user.set-up-second-factor",
      detail: { secondFactor: { from: false, to: true } },
    });
    return replaceRecoveryCodes(client, userId);
  });
}

export async function removeSecondFactor(
  connection: Connection,
  verifyCode: VerifyCode,
  { userId, actor, code }: OwnCode,
): Promise<void> {
  await transaction(connection, async (client) => {
    await requireCode(client, verifyCode, userId, code);
    await deleteSecondFactor(client, userId);
    await auditAccount(client, userId, {
      actor,
      action: "user.remove-second-factor",
      detail: { secondFactor: { from: true, to: false } },
    });
  });
}

export async function renewRecoveryCodes(
  connection: Connection,
  verifyCode: VerifyCode,
  { userId, actor, code }: OwnCode,
): Promise<string[]> {
  return transaction(connection, async (client) => {
    await requireCode(client, verifyCode, userId, code);
    await auditAccount(client, userId, { actor, action: "user.renew-recovery-codes" });
    return replaceRecoveryCodes(client, userId);
  });
}

/**
 * For a member who lost the authenticator app and the recovery codes. Only operators do this, because the account may open
 * other organizations too.
 */
export async function resetMemberSecondFactor(connection: Connection, input: OnMember): Promise<Member> {
  return transaction(connection, async (client) => {
    const { userId, isAccepted } = await lockMember(client, input);
    if (!isAccepted) throw invalidInput("This person has not accepted the invitation yet");
    await reset(client, userId, input.actor);
    return readMember(client, input.organizationId, input.memberId);
  });
}

/** For the command line, which can also reset operators. */
export async function resetSecondFactorByEmail(
  pool: pg.Pool,
  input: { email: string; actor: Actor },
): Promise<{ uuid: string; email: string; hadSecondFactor: boolean }> {
  return transaction(pool, async (client) => {
    const { id: userId, email } = await lockUserByEmail(client, input.email);
    return { uuid: userId, email, hadSecondFactor: await reset(client, userId, input.actor) };
  });
}

async function reset(client: pg.ClientBase, userId: string, actor: Actor): Promise<boolean> {
  const had = await deleteSecondFactor(client, userId);
  await auditAccount(client, userId, {
    actor,
    action: "user.reset-second-factor",
    detail: { secondFactor: { from: had, to: false } },
  });
  return had;
}
