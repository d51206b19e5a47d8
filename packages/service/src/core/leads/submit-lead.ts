import type { CaptchaUrl } from "@gatehouse-parking/contract";
import type { FastifyBaseLogger } from "fastify";
import type pg from "pg";
import { nowMs } from "../clock.js";
import { transactionAtOnce, type Statement } from "../database/pipeline.js";
import { Refused } from "../refusals/refused.js";
import type { KeyedSemaphore } from "../scheduling/keyed-semaphore.js";
import { openSecret, type SecretKeySource } from "../organizations/secrets.js";
import type { LeadSettings } from "../organizations/settings.js";
import { readStored } from "../organizations/quotas.js";
import { beginAttempt } from "./attempts.js";
import { verifyCaptcha } from "./captcha/verify-captcha.js";
import { countRecentLeads, requireDailyLeadQuota, requireStorageQuota } from "./lead-quota.js";
import type { ReadLead } from "./read-lead.js";
import { findReplay, isLocationOf, leadInsert, type NewLead, type StoredLead } from "./store-lead.js";

export interface LeadSubmission {
  organizationId: string;
  apiKeyId: string;
  settings: LeadSettings;
  lead: ReadLead;
  idempotencyKey: string | undefined;
  address: string;
  userAgent: string | undefined;
  log: FastifyBaseLogger;
  key: {
    /** Fails if the key is no longer valid. The last statement of the transaction that stores the lead. */
    condition: Statement;
    /** Throws if the key is no longer valid. */
    refuse(): Promise<void>;
  };
}

export interface LeadService {
  pool: pg.Pool;
  /**
   * One lead at a time per organization. A second click must find the lead of the first to be marked as its duplicate,
   * only one of two concurrent leads gets the last place of a quota, and a flood takes one connection.
   */
  semaphore: KeyedSemaphore;
  config: Record<CaptchaUrl, string>;
  secretKey: SecretKeySource;
}

/**
 * Stores one lead. The captcha comes after everything else that can refuse the lead, because asking the provider spends
 * its token.
 */
export async function submitLead(service: LeadService, submission: LeadSubmission): Promise<StoredLead> {
  const { pool } = service;
  const { organizationId, apiKeyId, settings, lead, idempotencyKey, address, userAgent } = submission;
  const bodyHash = idempotencyKey === undefined ? undefined : lead.hash();
  const key = idempotencyKey && bodyHash ? { organizationId, idempotencyKey, bodyHash } : undefined;
  const replay = key && (await findReplay(pool, key));
  if (replay) return replay;

  const hasCaptcha = settings.captchaType !== null;
  const endAttempt = key && hasCaptcha ? await beginAttempt(pool, key) : undefined;
  try {
    const concurrent = key && endAttempt && (await findReplay(pool, key));
    if (concurrent) return concurrent;
    // Without a captcha, the insert itself finds out.
    if (hasCaptcha && !(await isLocationOf(pool, organizationId, lead.fields["locationUuid"] as string)))
      refuse(unknownLocation);
    const captcha = await passCaptcha(service, submission);

    const release = await service.semaphore.acquire(organizationId);
    try {
      const { leadsPerDay, storageBytes } = settings.quotas;
      const hasQuota = leadsPerDay !== undefined || storageBytes !== undefined;
      // An equal request may have taken the last place meanwhile. Then this one needs none.
      const stored = hasQuota && key && (await findReplay(pool, key));
      if (stored) return stored;
      if (leadsPerDay !== undefined) {
        const recent = { organizationId, nowMs: nowMs(), atMost: leadsPerDay };
        requireDailyLeadQuota(leadsPerDay, await countRecentLeads(pool, recent));
      }
      if (storageBytes !== undefined)
        requireStorageQuota(storageBytes, await readStored(pool, organizationId));
      // A lead in the honeypot is answered like any other, so that a bot learns nothing.
      const isCaught = settings.honeypotField !== null && lead.isFilled(settings.honeypotField);
      const state = isCaught ? "quarantined" : "accepted";
      const newLead = { organizationId, apiKeyId, lead, state, captcha, address, userAgent } as const;
      const insert = leadInsert({ ...newLead, idempotencyKey, bodyHash });
      // The condition comes after the insert, which may have waited for a lock. If it fails, refuse() tells why.
      await transactionAtOnce(pool, [insert.statement, submission.key.condition]).catch(
        async (error: unknown) => {
          await submission.key.refuse();
          throw error;
        },
      );
      if (insert.stored) return insert.stored;
    } finally {
      release();
    }

    // Another instance stored the same key first, or the location is not the organization's.
    const winner = key && (await findReplay(pool, key));
    return winner ?? refuse(unknownLocation);
  } finally {
    await endAttempt?.();
  }
}

const unknownLocation = "locationUuid must be one of the organization's locations";

async function passCaptcha(service: LeadService, submission: LeadSubmission): Promise<NewLead["captcha"]> {
  const { captchaType: type, captchaSecret, captchaMinimumScore, captchaHostnames } = submission.settings;
  if (!type || !captchaSecret) return undefined;
  const { captchaToken: token, captchaType: claimedType } = submission.lead;
  if (claimedType !== null && claimedType !== type) refuse(`captchaType must be ${type}`);
  if (token === null || token.trim() === "") refuse("captchaToken is required");

  const verdict = await verifyCaptcha(
    {
      type,
      secret: await openCaptchaSecret(service, submission, captchaSecret),
      url: service.config[`${type}Url`],
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
  throw new Refused("bodyInvalid", { details: [detail] });
}

async function openCaptchaSecret(
  service: LeadService,
  submission: LeadSubmission,
  sealed: Buffer,
): Promise<string> {
  try {
    return openSecret(await service.secretKey.find(), submission.organizationId, sealed);
  } catch (error) {
    submission.log.error({ reason: (error as Error).message }, "the captcha secret cannot be read");
    throw new Refused("captchaUnavailable");
  }
}
