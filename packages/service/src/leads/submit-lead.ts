import { emailKey } from "@gatehouse/contract";
import type { FastifyBaseLogger } from "fastify";
import type pg from "pg";
import type { Config } from "../config.js";
import { RequestRefused } from "../http/errors.js";
import type { Turns } from "../imports/turns.js";
import { openSecret } from "../organizations/secret-box.js";
import { oneAttemptAtATime } from "./attempts.js";
import { captchaProviders } from "./captcha/providers.js";
import { verifyCaptcha } from "./captcha/verify-captcha.js";
import { readIntake, type Intake } from "./intake.js";
import type { ReadLead } from "./read-lead.js";
import { storeLead, type NewLead, type StoredLead } from "./store-lead.js";

export interface LeadSubmission {
  organizationId: string;
  apiKeyId: string;
  lead: ReadLead;
  idempotencyKey: string | undefined;
  address: string;
  userAgent: string | undefined;
  log: FastifyBaseLogger;
}

export interface LeadParts {
  pool: pg.Pool;
  /** Two clicks on one button arrive together: the second must see the first to be marked as its duplicate. */
  turns: Turns;
  config: Pick<Config, "secretKey" | "recaptchaUrl" | "hcaptchaUrl" | "turnstileUrl">;
}

/**
 * Judges and stores one lead: what was stored under its Idempotency-Key answers at once, then the location is looked
 * at, and last the captcha, because its token is spent by asking.
 */
export async function submitLead(parts: LeadParts, submission: LeadSubmission): Promise<StoredLead> {
  const intake = await readIntakeOf(parts, submission);
  if (intake.earlier || !intake.captchaType || !submission.idempotencyKey)
    return decide(parts, submission, intake);

  const { organizationId, idempotencyKey } = submission;
  return oneAttemptAtATime(parts.pool, { organizationId, idempotencyKey }, async () =>
    decide(parts, submission, await readIntakeOf(parts, submission)),
  );
}

async function decide(parts: LeadParts, submission: LeadSubmission, intake: Intake): Promise<StoredLead> {
  const bodyHash = submission.idempotencyKey === undefined ? undefined : submission.lead.hash();
  if (intake.earlier && bodyHash) return replay(intake.earlier, bodyHash);
  if (!intake.isLocationKnown)
    throw new RequestRefused("bodyInvalid", {
      details: ["locationUuid must be one of the organization's locations"],
    });

  const captcha = await passCaptcha(parts, submission, intake);
  // A lead in the honeypot has taken the same way until here, and is answered alike: nothing tells a bot why its
  // leads come to nothing.
  const isCaught = intake.honeypotField !== null && submission.lead.isFilled(intake.honeypotField);
  const { organizationId, apiKeyId, lead, idempotencyKey, address, userAgent } = submission;
  const { locationUuid, email } = lead.fields;
  const stored = await parts.turns.take(`${organizationId} ${locationUuid} ${emailKey(email ?? "")}`, () =>
    storeLead(parts.pool, {
      organizationId,
      apiKeyId,
      lead,
      state: isCaught ? "quarantined" : "accepted",
      captcha,
      address,
      userAgent,
      idempotencyKey,
      bodyHash,
    }),
  );
  if (stored) return stored;

  const { earlier } = await readIntakeOf(parts, submission);
  if (!earlier || !bodyHash) throw new Error("a lead was neither stored nor found under its Idempotency-Key");
  return replay(earlier, bodyHash);
}

function readIntakeOf(parts: LeadParts, submission: LeadSubmission): Promise<Intake> {
  return readIntake(parts.pool, {
    organizationId: submission.organizationId,
    locationUuid: submission.lead.fields.locationUuid as string,
    idempotencyKey: submission.idempotencyKey,
  });
}

function replay(earlier: NonNullable<Intake["earlier"]>, bodyHash: Buffer): StoredLead {
  if (!earlier.bodyHash.equals(bodyHash)) throw new RequestRefused("idempotencyConflict");
  return earlier;
}

async function passCaptcha(
  parts: LeadParts,
  submission: LeadSubmission,
  intake: Intake,
): Promise<NewLead["captcha"]> {
  const { captchaType: type, captchaSecret } = intake;
  if (!type || !captchaSecret) return undefined;
  const { captchaToken: token, captchaType: claimedType } = submission.lead;
  if (claimedType !== null && claimedType !== type) refuseCaptcha(`captchaType must be ${type}`);
  if (token === null || token.trim() === "") refuseCaptcha("captchaToken is required");

  const verdict = await verifyCaptcha(
    {
      type,
      secret: openCaptchaSecret(parts, submission, captchaSecret),
      url: parts.config[captchaProviders[type].address],
      minimumScore: intake.captchaMinimumScore,
      hostnames: intake.captchaHostnames,
    },
    { token, remoteAddress: submission.address },
  );
  if (verdict.outcome === "accepted") return { type, result: verdict.result };
  submission.log.warn({ captchaType: type, reason: verdict.reason }, `captcha ${verdict.outcome}`);
  if (verdict.outcome === "unavailable") throw new RequestRefused("captchaUnavailable");
  return refuseCaptcha("captchaToken was not accepted; solve the captcha again");
}

function refuseCaptcha(detail: string): never {
  throw new RequestRefused("bodyInvalid", { details: [detail] });
}

function openCaptchaSecret(parts: LeadParts, submission: LeadSubmission, sealed: Buffer): string {
  try {
    if (!parts.config.secretKey) throw new Error("The service was started without a secret key");
    return openSecret(parts.config.secretKey, submission.organizationId, sealed);
  } catch (error) {
    submission.log.error({ reason: (error as Error).message }, "the captcha secret cannot be read");
    throw new RequestRefused("captchaUnavailable");
  }
}
