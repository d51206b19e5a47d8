import { randomBytes } from "node:crypto";
import type pg from "pg";
import { nowMs } from "../../clock.js";
import { transaction, type Connection } from "../../database/transaction.js";
import type { Actor } from "../../audit/audit.js";
import { invalidInput } from "../../refusals/user-error.js";
import { auditAccount } from "../audit-account.js";
import { openSecret, sealSecret } from "../encryption.js";
import type { SecretKeySource } from "../secret-key.js";
import { replaceRecoveryCodes, useRecoveryCode } from "./recovery-codes.js";
import { isTotpCode, matchingStep, secretBytes, toBase32, totpAddress } from "./totp.js";

/** What an authenticator app is told. It is shown once. */
export interface NewSecondFactor {
  secret: string;
  address: string;
}

/** A try at the codes of one second factor: six digits of an app, or a recovery code. */
export interface Guess {
  /** Names the person and when they set it up: the guesses at one that was reset are none at the next. */
  factor: string;
  isRecoveryCode: boolean;
}

/** What a second factor is checked with. */
export interface CodeGuard {
  secretKey: SecretKeySource["find"];
  /** Refuses a guess if there were too many, before it is looked at. */
  throttle(guess: Guess): Promise<void>;
  /** After a right one. */
  forget(guess: Guess): Promise<void>;
}

/** Whose second factor, and who says so. */
interface Own {
  userId: string;
  actor: Actor;
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

/** Makes a secret that is not asked for until a code of it has shown that an app has it. */
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

/** From now on codes are asked for. Gives the recovery codes, which are shown once. */
export async function confirmSecondFactor(
  connection: Connection,
  guard: CodeGuard,
  { userId, actor, code }: Own & { code: string },
): Promise<string[]> {
  return transaction(connection, async (client) => {
    const stored = await lockSecondFactor(client, userId);
    if (!stored || stored.confirmed_at)
      throw invalidInput("There is no second factor to confirm; start again");
    if (!(await isCodeOf(client, guard, userId, stored, code))) throw invalidInput(wrongCode);
    await client.query("update second_factors set confirmed_at = now() where user_id = $1", [userId]);
    await auditAccount(client, userId, {
      actor,
      action: "user.set-up-second-factor",
      detail: { secondFactor: { from: false, to: true } },
    });
    return replaceRecoveryCodes(client, userId);
  });
}

/** For somebody who knows a code: of their app, or one of the recovery codes. */
export async function removeSecondFactor(
  connection: Connection,
  guard: CodeGuard,
  { userId, actor, code }: Own & { code: string },
): Promise<void> {
  await transaction(connection, async (client) => {
    await requireCode(client, guard, userId, code);
    await forgetSecondFactor(client, userId);
    await auditAccount(client, userId, {
      actor,
      action: "user.remove-second-factor",
      detail: { secondFactor: { from: true, to: false } },
    });
  });
}

export async function renewRecoveryCodes(
  connection: Connection,
  guard: CodeGuard,
  { userId, actor, code }: Own & { code: string },
): Promise<string[]> {
  return transaction(connection, async (client) => {
    await requireCode(client, guard, userId, code);
    await auditAccount(client, userId, {
      actor,
      action: "user.renew-recovery-codes",
    });
    return replaceRecoveryCodes(client, userId);
  });
}

/** Takes it from somebody who has lost both their app and their recovery codes. Says whether there was one. */
export async function resetSecondFactor(client: pg.ClientBase, { userId, actor }: Own): Promise<boolean> {
  const had = await forgetSecondFactor(client, userId);
  await auditAccount(client, userId, {
    actor,
    action: "user.reset-second-factor",
    detail: { secondFactor: { from: had, to: false } },
  });
  return had;
}

export type CodeCheck = "none needed" | "needed" | "fits" | "refused";

/**
 * Whether this person may go on. A code is used up by fitting, within the caller's transaction: two sign-ins with the
 * same one wait for each other here, and the second finds it used.
 */
export async function checkSecondFactor(
  client: pg.ClientBase,
  guard: CodeGuard,
  { userId, code }: { userId: string; code: string | undefined },
): Promise<CodeCheck> {
  const stored = await lockSecondFactor(client, userId);
  if (!stored?.confirmed_at) return "none needed";
  if (code === undefined) return "needed";
  return (await isCodeOf(client, guard, userId, stored, code)) ? "fits" : "refused";
}

const wrongCode = "The code is incorrect or was already used. Enter the one that your app shows now";

/** Refuses whoever has no second factor, or gives no right code of it. */
export async function requireCode(
  client: pg.ClientBase,
  guard: CodeGuard,
  userId: string,
  code: string,
): Promise<void> {
  const stored = await lockSecondFactor(client, userId);
  if (!stored?.confirmed_at) throw invalidInput("You have no second factor");
  if (!(await isCodeOf(client, guard, userId, stored, code))) throw invalidInput(wrongCode);
}

interface StoredFactor {
  created_at: Date;
  sealed_secret: Buffer;
  confirmed_at: Date | null;
  last_step: string | number | null;
}

async function lockSecondFactor(client: pg.ClientBase, userId: string): Promise<StoredFactor | undefined> {
  const { rows } = await client.query<StoredFactor>(
    "select created_at, sealed_secret, confirmed_at, last_step from second_factors where user_id = $1 for update",
    [userId],
  );
  return rows[0];
}

/** Also counts the guess. */
async function isCodeOf(
  client: pg.ClientBase,
  guard: CodeGuard,
  userId: string,
  stored: StoredFactor,
  typed: string,
): Promise<boolean> {
  const code = typed.replaceAll(" ", "");
  const isRecoveryCode = !isTotpCode(code);
  const guess = { factor: `${userId}:${stored.created_at.getTime()}`, isRecoveryCode };
  await guard.throttle(guess);
  const fits = isRecoveryCode
    ? await useRecoveryCode(client, userId, typed)
    : await useAppCode(client, guard.secretKey, userId, stored, code);
  if (fits) await guard.forget(guess);
  return fits;
}

/** Whoever writes a code down, or reads along, cannot use it a second time. Recovery codes need no key of the service. */
async function useAppCode(
  client: pg.ClientBase,
  secretKey: SecretKeySource["find"],
  userId: string,
  stored: StoredFactor,
  code: string,
): Promise<boolean> {
  const secret = Buffer.from(
    openSecret(await secretKey(), userId, stored.sealed_secret, "second factor"),
    "base64",
  );
  const step = matchingStep(secret, code, nowMs());
  if (step === undefined || (stored.last_step !== null && step <= Number(stored.last_step))) return false;
  await client.query("update second_factors set last_step = $2 where user_id = $1", [userId, step]);
  return true;
}

/** Says whether there was one that was asked for. */
export async function forgetSecondFactor(client: pg.ClientBase, userId: string): Promise<boolean> {
  const { rows } = await client.query<{ was_confirmed: boolean }>(
    "delete from second_factors where user_id = $1 returning confirmed_at is not null as was_confirmed",
    [userId],
  );
  await client.query("delete from recovery_codes where user_id = $1", [userId]);
  return rows[0]?.was_confirmed === true;
}
