import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { Refused } from "../refusals/refused.js";
import { uuidv7 } from "../uuidv7.js";
import { captchaTimeoutMs } from "./captcha/verify-captcha.js";

/**
 * One attempt at a time for an Idempotency-Key, on all instances. A captcha token can be verified once: of two equal
 * requests at the same moment, the second would see its token refused although the first is about to succeed. It
 * waits instead, and then finds what the first has stored.
 *
 * The claim is a row and not a lock, so that no connection is held while the captcha provider takes its time. If the
 * instance dies, the claim expires.
 */
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

export async function oneAttemptAtATime<T>(
  pool: pg.Pool,
  key: { organizationId: string; idempotencyKey: string },
  work: () => Promise<T>,
): Promise<T> {
  const attempt = [key.organizationId, key.idempotencyKey, uuidv7()];
  await waitForTurn(pool, attempt);
  try {
    return await work();
  } finally {
    // If the database does not take it, the claim expires by itself; what `work` found out still counts.
    await pool.query(release, attempt).catch(() => undefined);
  }
}

async function waitForTurn(pool: pg.Pool, attempt: string[]): Promise<void> {
  const giveUpAt = performance.now() + 2 * attemptLifetimeMs;
  while (performance.now() < giveUpAt) {
    const { rowCount } = await pool.query(claim, [...attempt, attemptLifetimeMs / 1000]);
    if (rowCount === 1) return;
    await delay(pollIntervalMs);
  }
  throw new Refused("overloaded");
}
