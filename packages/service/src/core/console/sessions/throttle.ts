import { createHash } from "node:crypto";
import type { RateLimit } from "@gatehouse-parking/contract";
import type { FastifyInstance } from "fastify";
import { nowMs } from "../../clock.js";
import { limitAddress } from "../../server/client-address.js";
import type { CodeGuard } from "../../organizations/second-factor/second-factors.js";
import type { SecretKeySource } from "../../organizations/secret-key.js";
import { accountKeys } from "../../organizations/account-email.js";
import { pendingSeconds } from "../provider/pending-cookie.js";
import type { DoorGuard } from "./sign-in.js";
import { UserError } from "../../refusals/user-error.js";

/**
 * How often anyone may try to sign in, counted by the limiter of the interface and so over all instances. By address
 * (an office shares one, so there is room), and by account, so that many addresses cannot guess at one password.
 * An attacker can use an account's attempts up and keep its owner from the password, but not from a one-time link.
 */
const byAddress: RateLimit = { requests: 30, windowSeconds: 300, per: "address" };
const byAccount: RateLimit = { requests: 10, windowSeconds: 300, per: "address" };
/**
 * Codes of an app, by second factor. A guess fits by three in a million, so that few are left a day to somebody who has
 * the password. Only whoever has it gets here, so nobody else can use the attempts up.
 */
const byGuesser: RateLimit = { requests: 20, windowSeconds: 24 * 3_600, per: "address" };
/**
 * Recovery codes are not to be guessed, and are the owner's way in when somebody has used up the attempts at the others:
 * this is more than the door lets anybody try with a password.
 */
const byRecovery: RateLimit = { requests: 500, windowSeconds: 3_600, per: "address" };

/** Guesses at the current password by whoever has a session, by person. Failed sign-ins of others do not count here. */
const byOwner: RateLimit = { requests: 10, windowSeconds: 300, per: "address" };

/** An answer of the provider, by its state, for as long as the browser may bring it. */
const answersTaken: RateLimit = { requests: 1, windowSeconds: pendingSeconds, per: "address" };

/** How often the trail says that a code was asked for, by person. */
const questionsNoted: RateLimit = { requests: 1, windowSeconds: 3_600, per: "address" };

export async function throttleAddress(app: FastifyInstance, address: string): Promise<void> {
  await take(app, `consoleSignIn:${limitAddress(address)}`, byAddress);
}

export async function throttleAccount(app: FastifyInstance, email: string): Promise<void> {
  await take(app, accountBucket(email), byAccount);
}

export async function throttleOwner(app: FastifyInstance, userId: string): Promise<void> {
  await take(app, ownerBucket(userId), byOwner);
}

/** After a right password or code. */
export async function forgetOwner(app: FastifyInstance, userId: string): Promise<void> {
  await app.rateLimiter.forget(ownerBucket(userId));
}

/** Whether this answer was not taken before, whatever the provider says of a code that comes twice. */
export async function isFirstAnswer(app: FastifyInstance, state: string): Promise<boolean> {
  const bucket = `consoleProvider:${createHash("sha256").update(state).digest("base64url")}`;
  return (await app.rateLimiter.take(bucket, answersTaken)).accepted;
}

const ownerBucket = (userId: string) => `consoleOwner:${userId}`;

export function codeGuard(app: FastifyInstance, secretKey: SecretKeySource): CodeGuard {
  const codes = (factor: string) => `consoleCode:${factor}`;
  const recovery = (factor: string) => `consoleRecovery:${factor}`;
  return {
    secretKey: secretKey.find,
    throttle: ({ factor, isRecoveryCode }) =>
      isRecoveryCode ? take(app, recovery(factor), byRecovery) : take(app, codes(factor), byGuesser),
    /** A right one of either kind gives both back: it was the owner. */
    async forget({ factor }) {
      await app.rateLimiter.forget(codes(factor));
      await app.rateLimiter.forget(recovery(factor));
    },
  };
}

export function doorGuard(app: FastifyInstance, secretKey: SecretKeySource): DoorGuard {
  return {
    ...codeGuard(app, secretKey),
    notesQuestion: async (userId) =>
      (await app.rateLimiter.take(`consoleCodeAsked:${userId}`, questionsNoted)).accepted,
  };
}

/** Whoever knows the password starts anew. The address goes on counting: a guesser may own an account too. */
export async function forgetAttempts(app: FastifyInstance, email: string): Promise<void> {
  await app.rateLimiter.forget(accountBucket(email));
}

async function take(app: FastifyInstance, bucket: string, limit: RateLimit): Promise<void> {
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
