import type { RateLimit } from "@gatehouse-parking/contract";
import type { FastifyInstance } from "fastify";
import type pg from "pg";
import { nowMs } from "../../core/clock.js";
import { throttle } from "../../core/console/sessions/throttle.js";
import { openSecret, type SecretKeySource } from "../../core/organizations/secrets.js";
import type { VerifyCode } from "../../core/organizations/second-factor.js";
import { useRecoveryCode } from "./recovery-codes.js";
import { isTotpCode, matchingStep } from "./totp.js";

/**
 * A guessed code is right three times in a million, so an attacker who has the password gets only a few
 * attempts per day. The attempts need the password, so no one else can use the owner's attempts up.
 */
const appCodes: RateLimit = { requests: 20, windowSeconds: 24 * 3_600, per: "address" };
/**
 * Recovery codes cannot be guessed. They let the owner in when an attacker has used up the attempts at the
 * other codes, so the limit is higher than the one for passwords.
 */
const recoveryCodes: RateLimit = { requests: 500, windowSeconds: 3_600, per: "address" };

interface StoredFactor {
  created_at: Date;
  sealed_secret: Buffer;
  last_step: string | number | null;
}

/** Takes six digits of an app, or a recovery code. Attempts are counted over all instances. */
export function createVerifyCode(app: FastifyInstance, secretKey: SecretKeySource): VerifyCode {
  return async (client, userId, typed) => {
    const { rows } = await client.query<StoredFactor>(
      "select created_at, sealed_secret, last_step from second_factors where user_id = $1 for update",
      [userId],
    );
    const stored = rows[0];
    if (!stored) return false;
    // Attempts at a second factor that was reset do not count for the next one.
    const factor = `${userId}:${stored.created_at.getTime()}`;
    const [appBucket, recoveryBucket] = [`consoleCode:${factor}`, `consoleRecovery:${factor}`];
    const code = typed.replaceAll(" ", "");
    const isAppCode = isTotpCode(code);
    await (isAppCode ? throttle(app, appBucket, appCodes) : throttle(app, recoveryBucket, recoveryCodes));
    const isRight = isAppCode
      ? await useAppCode(client, secretKey, userId, stored, code)
      : await useRecoveryCode(client, userId, typed);
    if (isRight) {
      await app.rateLimiter.forget(appBucket);
      await app.rateLimiter.forget(recoveryBucket);
    }
    return isRight;
  };
}

/** A code works once, so a code that someone saw or wrote down is useless. */
async function useAppCode(
  client: pg.ClientBase,
  secretKey: SecretKeySource,
  userId: string,
  stored: StoredFactor,
  code: string,
): Promise<boolean> {
  const key = await secretKey.find();
  const secret = Buffer.from(openSecret(key, userId, stored.sealed_secret, "second factor"), "base64");
  const step = matchingStep(secret, code, nowMs());
  if (step === undefined || (stored.last_step !== null && step <= Number(stored.last_step))) return false;
  await client.query("update second_factors set last_step = $2 where user_id = $1", [userId, step]);
  return true;
}
