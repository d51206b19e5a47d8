import { emailKey } from "@gatehouse-parking/contract";
import type { FastifyBaseLogger } from "fastify";
import type pg from "pg";
import type { Config } from "../config.js";
import { nowMs } from "../clock.js";
import { Refused } from "../refusals/refused.js";
import type { Turns } from "../scheduling/turns.js";
import { openSecret } from "../organizations/secret-box.js";
import type { SecretKeySource } from "../organizations/secret-key.js";
import { oneAttemptAtATime } from "./attempts.js";
import { captchaProviders } from "./captcha/providers.js";
import { verifyCaptcha } from "./captcha/verify-captcha.js";
import { requireLeadRoom } from "./lead-quota.js";
import { findEarlierLead, isLocationOf, type EarlierLead } from "./look-ups.js";
import type { ReadLead } from "./read-lead.js";
import type { LeadSettings } from "./settings.js";
import type { NewLead, StoredLead } from "./store-leads.js";

export interface LeadSubmission {
  organizationId: string;
  apiKeyId: string;
  settings: LeadSettings;
  lead: ReadLead;
  idempotencyKey: string | undefined;
  address: string;
  userAgent: string | undefined;
  log: FastifyBaseLogger;
  /** Throws if the key no longer counts. */
  confirmKey: () => Promise<void>;
}

export interface LeadParts {
  pool: pg.Pool;
  /** Undefined: nothing was stored, because the location is not the organization's or the Idempotency-Key is taken. */
  store: (lead: NewLead) => Promise<StoredLead | undefined>;
  /** Two clicks on one button arrive together: the second must see the first to be marked as its duplicate. */
  turns: Turns;
  config: Pick<Config, "recaptchaUrl" | "hcaptchaUrl" | "turnstileUrl">;
  secretKey: SecretKeySource;
}

/**
 * Judges and stores one lead: what was stored under its Idempotency-Key answers at once, then the location is looked
 * at, and last the captcha, because its token is spent by asking.
 */
export async function submitLead(parts: LeadParts, submission: LeadSubmission): Promise<StoredLead> {
  const { organizationId, idempotencyKey, settings } = submission;
  if (idempotencyKey === undefined) return passAndStore(parts, submission, undefined);

  const key = { organizationId, idempotencyKey };
  const bodyHash = submission.lead.hash();
  const replayOrStore = async (): Promise<StoredLead> => {
    const earlier = await findEarlierLead(parts.pool, key);
    return earlier ? replay(earlier, bodyHash) : passAndStore(parts, submission, bodyHash);
  };
  if (settings.captchaType === null) return replayOrStore();
  const earlier = await findEarlierLead(parts.pool, key);
  return earlier ? replay(earlier, bodyHash) : oneAttemptAtATime(parts.pool, key, replayOrStore);
}

function replay(earlier: EarlierLead, bodyHash: Buffer): StoredLead {
  if (!earlier.bodyHash.equals(bodyHash)) throw new Refused("idempotencyConflict");
  return earlier;
}

async function passAndStore(
  parts: LeadParts,
  submission: LeadSubmission,
  bodyHash: Buffer | undefined,
): Promise<StoredLead> {
  const { organizationId, apiKeyId, lead, settings, idempotencyKey, address, userAgent } = submission;
  const { email, locationUuid } = lead.fields as { email: string; locationUuid: string };
  // Without a captcha the insert itself tells an unknown location, and the lead is spared this look.
  if (settings.captchaType !== null && !(await isLocationOf(parts.pool, organizationId, locationUuid)))
    refuse(unknownLocation);
  const captcha = await passCaptcha(parts, submission);
  // A lead in the honeypot has taken the same way until here, and is answered alike: nothing tells a bot why its
  // leads come to nothing.
  const isCaught = settings.honeypotField !== null && lead.isFilled(settings.honeypotField);
  const { quotas } = settings;
  const hasQuota = quotas.leadsPerDay !== undefined || quotas.storageBytes !== undefined;
  // Where leads are counted, one at a time is: two that arrive together would both find the last place free.
  const turn =
    quotas.leadsPerDay === undefined
      ? `${organizationId} ${locationUuid.toLowerCase()} ${emailKey(email)}`
      : organizationId;
  // The same lead may have taken the last place while this one waited: then it needs none.
  const isStored = async (): Promise<boolean> =>
    idempotencyKey !== undefined &&
    (await findEarlierLead(parts.pool, { organizationId, idempotencyKey })) !== undefined;
  const stored = await parts.turns.take(turn, async () => {
    if (hasQuota && !(await isStored()))
      await requireLeadRoom(parts.pool, { organizationId, nowMs: nowMs(), quotas });
    // The captcha's provider may have taken seconds.
    await submission.confirmKey();
    return parts.store({
      organizationId,
      apiKeyId,
      lead,
      state: isCaught ? "quarantined" : "accepted",
      captcha,
      address,
      userAgent,
      idempotencyKey,
      bodyHash,
    });
  });
  if (stored) return stored;

  // Nothing was inserted: somebody was faster under the same key, or the location is not the organization's.
  if (idempotencyKey !== undefined && bodyHash) {
    const earlier = await findEarlierLead(parts.pool, { organizationId, idempotencyKey });
    if (earlier) return replay(earlier, bodyHash);
  }
  return refuse(unknownLocation);
}

const unknownLocation = "locationUuid must be one of the organization's locations";

async function passCaptcha(parts: LeadParts, submission: LeadSubmission): Promise<NewLead["captcha"]> {
  const { captchaType: type, captchaSecret, captchaMinimumScore, captchaHostnames } = submission.settings;
  if (!type || !captchaSecret) return undefined;
  const { captchaToken: token, captchaType: claimedType } = submission.lead;
  if (claimedType !== null && claimedType !== type) refuse(`captchaType must be ${type}`);
  if (token === null || token.trim() === "") refuse("captchaToken is required");

  const verdict = await verifyCaptcha(
    {
      type,
      secret: await openCaptchaSecret(parts, submission, captchaSecret),
      url: parts.config[captchaProviders[type].address],
      minimumScore: captchaMinimumScore,
      hostnames: captchaHostnames,
    },
    { token, remoteAddress: submission.address },
  );
  if (verdict.outcome === "accepted") return { type, result: verdict.result };
  submission.log.warn({ captchaType: type, reason: verdict.reason }, `captcha ${verdict.outcome}`);
  if (verdict.outcome === "unavailable") throw new Refused("captchaUnavailable");
  return refuse("captchaToken was not accepted; solve the captcha again");
}

function refuse(detail: string): never {
  throw new Refused("bodyInvalid", [detail]);
}

async function openCaptchaSecret(
  parts: LeadParts,
  submission: LeadSubmission,
  sealed: Buffer,
): Promise<string> {
  try {
    return openSecret(await parts.secretKey.find(), submission.organizationId, sealed);
  } catch (error) {
    submission.log.error({ reason: (error as Error).message }, "the captcha secret cannot be read");
    throw new Refused("captchaUnavailable");
  }
}
