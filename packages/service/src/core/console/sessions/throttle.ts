import { createHash } from "node:crypto";
import type { RateLimit } from "@gatehouse-parking/contract";
import type { FastifyInstance } from "fastify";
import { nowMs } from "../../clock.js";
import { limitAddress } from "../../server/client-address.js";
import { accountKeys } from "../../organizations/account-email.js";
import { UserError } from "../../refusals/user-error.js";

/**
 * Limits of sign-in attempts, counted over all instances. Per address, which an office may share, and per account,
 * so that many addresses cannot guess one password. An attacker can use up the attempts of an account, but its
 * owner can still use a one-time link.
 */
const byAddress: RateLimit = { requests: 30, windowSeconds: 300, per: "address" };
const byAccount: RateLimit = { requests: 10, windowSeconds: 300, per: "address" };
/** Attempts at the current password within a session, per user. Failed sign-ins of others do not count here. */
const byOwner: RateLimit = { requests: 10, windowSeconds: 300, per: "address" };

const auditedCodeRequests: RateLimit = { requests: 1, windowSeconds: 3_600, per: "address" };

export async function throttleAddress(app: FastifyInstance, address: string): Promise<void> {
  await throttle(app, `consoleSignIn:${limitAddress(address)}`, byAddress);
}

export async function throttleAccount(app: FastifyInstance, email: string): Promise<void> {
  await throttle(app, accountBucket(email), byAccount);
}

export async function throttleOwner(app: FastifyInstance, userId: string): Promise<void> {
  await throttle(app, ownerBucket(userId), byOwner);
}

/** After a correct password or code. */
export async function forgetOwner(app: FastifyInstance, userId: string): Promise<void> {
  await app.rateLimiter.forget(ownerBucket(userId));
}

const ownerBucket = (userId: string) => `consoleOwner:${userId}`;

/** The sign-in page asks for the code at every visit, so the audit log records the first request of an hour. */
export async function shouldAuditCodeRequest(app: FastifyInstance, userId: string): Promise<boolean> {
  return (await app.rateLimiter.take(`consoleCodeAsked:${userId}`, auditedCodeRequests)).accepted;
}

/** A correct password resets the limit of the account. The limit of the address stays, because an attacker may own an account too. */
export async function forgetAttempts(app: FastifyInstance, email: string): Promise<void> {
  await app.rateLimiter.forget(accountBucket(email));
}

export async function throttle(app: FastifyInstance, bucket: string, limit: RateLimit): Promise<void> {
  const state = await app.rateLimiter.take(bucket, limit);
  if (state.accepted) return;
  const retryAfter = Math.max(1, Math.ceil(state.resetAtSeconds - nowMs() / 1000));
  throw new UserError("rateLimited", [], { retryAfter });
}

/** A digest, so that the table of limits holds no addresses of people. All spellings of one account share a bucket. */
function accountBucket(email: string): string {
  const key = accountKeys(email)[0]?.normalize("NFC") ?? email;
  return `consoleSignIn:${createHash("sha256").update(key).digest("base64url")}`;
}
