import { emailKey, type CaptchaType } from "@gatehouse-parking/contract";
import type pg from "pg";
import { nowMs } from "../clock.js";
import { sqlTimestamp } from "../database/copy-text.js";
import { uuidv7 } from "../uuidv7.js";
import type { CaptchaResult } from "./captcha/verify-captcha.js";
import type { ReadLead } from "./read-lead.js";

export interface StoredLead {
  uuid: string;
  createdAt: Date;
}

export interface NewLead {
  organizationId: string;
  apiKeyId: string;
  lead: ReadLead;
  state: "accepted" | "quarantined";
  captcha: { type: CaptchaType; result: CaptchaResult } | undefined;
  address: string;
  userAgent: string | undefined;
  idempotencyKey: string | undefined;
  bodyHash: Buffer | undefined;
  /** One that is told to have come at another time than now, as in the history of the demo organization. */
  past?: StoredLead | undefined;
}

/** Leads with the same e-mail and location within this time are marked as duplicates of the first. */
const duplicateMinutes = 10;
const maxUserAgentLength = 512;

/**
 * Stores nothing if the location is not the organization's, or if the Idempotency-Key is taken. The organization comes out
 * of the location and not from outside, so that a distributed database sees that both lie on the same shard.
 */
export const insertLead = `
  insert into leads (
    organization_id, id, location_id, email, email_key, first_name, last_name, company_name, phone,
    estimated_start_date, estimated_start_date_string, source, source_details, notes, form_name, slug, referrer_url,
    metadata, state, captcha_type, captcha_result, api_key_id, address, user_agent, idempotency_key, body_hash,
    created_at, duplicate_of
  )
  select
    location.organization_id, $2, location.id, $4, $5, $6, $7, $8, $9,
    $10, $11, $12, $13, $14, $15, $16, $17,
    $18, $19, $20, $21, $22, $23, $24, $25, $26,
    $27, (
      select coalesce(earlier.duplicate_of, earlier.id)
      from leads as earlier
      where earlier.organization_id = $1 and earlier.email_key = $5 and earlier.location_id = $3
        and earlier.created_at > $27::timestamptz - interval '${duplicateMinutes} minutes'
        and earlier.state = 'accepted'
      order by earlier.created_at desc
      limit 1
    )
  from locations as location
  where location.organization_id = $1 and location.id = $3
  on conflict (organization_id, idempotency_key) where idempotency_key is not null do nothing
  returning id`;

/** Undefined: nothing was stored, for one of the two reasons. */
export async function storeLead(pool: pg.Pool, input: NewLead): Promise<StoredLead | undefined> {
  const { fields, metadata } = input.lead;
  const createdAt = input.past?.createdAt ?? new Date(nowMs());
  const { rows } = await pool.query<{ id: string }>({
    name: "store-lead",
    text: insertLead,
    values: [
      input.organizationId,
      input.past?.uuid ?? uuidv7(),
      fields.locationUuid,
      fields.email,
      emailKey(fields.email ?? ""),
      fields.firstName,
      fields.lastName,
      fields.companyName,
      fields.phone,
      fields.estimatedStartDate === null ? null : sqlTimestamp(Date.parse(fields.estimatedStartDate)),
      fields.estimatedStartDateString,
      fields.source,
      fields.sourceDetails,
      fields.notes,
      fields.formName,
      fields.slug,
      fields.referrerUrl,
      metadata,
      input.state,
      input.captcha?.type ?? null,
      input.captcha ? JSON.stringify(input.captcha.result) : null,
      input.apiKeyId,
      input.address,
      input.userAgent?.slice(0, maxUserAgentLength) ?? null,
      input.idempotencyKey ?? null,
      input.bodyHash ?? null,
      createdAt,
    ],
  });
  return rows[0] && { uuid: rows[0].id, createdAt };
}
