import { createHash } from "node:crypto";
import type { RateLimit } from "@gatehouse-parking/contract";
import type { FastifyInstance } from "fastify";
import { nowMs } from "../../clock.js";
import { limitAddress } from "../../server/client-address.js";
import { emailKey } from "@gatehouse-parking/contract";
import { ConsoleRefused } from "../../refusals/console-refused.js";

/**
 * How often anyone may try to sign in, counted by the limiter of the interface and so over all instances. By address
 * (an office shares one, so there is room), and by account, so that many addresses cannot guess at one password.
 * An attacker can use an account's attempts up and keep its owner from the password, but not from a one-time link.
 */
const byAddress: RateLimit = { requests: 30, windowSeconds: 300, per: "address" };
const byAccount: RateLimit = { requests: 10, windowSeconds: 300, per: "address" };

export async function throttleAddress(app: FastifyInstance, address: string): Promise<void> {
  await take(app, `consoleSignIn:${limitAddress(address)}`, byAddress);
}

export async function throttleAccount(app: FastifyInstance, email: string): Promise<void> {
  await take(app, accountBucket(email), byAccount);
}

/** Whoever knows the password starts anew. The address goes on counting: a guesser may own an account too. */
export async function forgetAttempts(app: FastifyInstance, email: string): Promise<void> {
  await app.rateLimiter.forget(accountBucket(email));
}

async function take(app: FastifyInstance, bucket: string, limit: RateLimit): Promise<void> {
  const state = await app.rateLimiter.take(bucket, limit);
  if (state.accepted) return;
  const retryAfter = Math.max(1, Math.ceil(state.resetAtSeconds - nowMs() / 1000));
  throw new ConsoleRefused("rateLimited", [], { retryAfter });
}

/** A digest, so that the table of limits holds no addresses of people. */
function accountBucket(email: string): string {
  return `consoleSignIn:${createHash("sha256").update(emailKey(email)).digest("base64url")}`;
}
