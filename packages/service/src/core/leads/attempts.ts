import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { Refused } from "../refusals/refused.js";
import { uuidv7 } from "../uuidv7.js";
import { captchaTimeoutMs } from "./captcha/verify-captcha.js";

const attemptLifetimeMs = captchaTimeoutMs + 5_000;
const pollIntervalMs = 100;

const claim = `
  insert into lead_attempts as held (organization_id, idempotency_key, attempt_id, expires_at)
  values ($1, $2, $3, clock_timestamp() + make_interval(secs => $4))
  on conflict (organization_id, idempotency_key) do update
  set attempt_id = excluded.attempt_id, expires_at = excluded.expires_at
  where held.expires_at < clock_timestamp()`;

const release =
  "delete from lead_attempts where organization_id = $1 and idempotency_key = $2 and attempt_id = $3";

/**
 * Allows one attempt at a time per Idempotency-Key, on all instances, and resolves with the function that ends it. A
 * captcha token can be verified once: of two equal concurrent requests, the second would see its token refused although
 * the first is about to succeed. It waits instead, and then finds the stored lead.
 *
 * The claim is a row and not a lock, so that it holds no connection while the captcha provider answers. If the instance
 * dies, the claim expires.
 */
export async function beginAttempt(
  pool: pg.Pool,
  key: { organizationId: string; idempotencyKey: string },
): Promise<() => Promise<void>> {
  const attempt = [key.organizationId, key.idempotencyKey, uuidv7()];
  const giveUpAt = performance.now() + 2 * attemptLifetimeMs;
  while (performance.now() < giveUpAt) {
    const { rowCount } = await pool.query(claim, [...attempt, attemptLifetimeMs / 1000]);
    // If the release fails, the claim expires, and the result of the attempt still counts.
    if (rowCount === 1) return () => pool.query(release, attempt).then(noResult, noResult);
    await delay(pollIntervalMs);
  }
  throw new Refused("overloaded");
}

const noResult = () => undefined;
