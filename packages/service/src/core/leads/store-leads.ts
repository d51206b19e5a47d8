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

/** What is handed over of a lead, by the names of its columns. The organization is the same for all of a statement. */
const handedOver = {
  id: "uuid",
  location_id: "uuid",
  email: "text",
  email_key: "text",
  first_name: "text",
  last_name: "text",
  company_name: "text",
  phone: "text",
  estimated_start_date: "timestamptz",
  estimated_start_date_string: "text",
  source: "text",
  source_details: "text",
  notes: "text",
  form_name: "text",
  slug: "text",
  referrer_url: "text",
  metadata: "text",
  state: "text",
  captcha_type: "text",
  captcha_result: "text",
  api_key_id: "uuid",
  address: "text",
  user_agent: "text",
  idempotency_key: "text",
  body_hash: "bytea",
  created_at: "timestamptz",
} as const;
type HandedOver = Record<keyof typeof handedOver, unknown>;

const columns = Object.keys(handedOver);
const columnTypes = Object.entries(handedOver).map(([column, type]) => `${column} ${type}`);
/** Handed over as text: as JSON inside of JSON they could hold escapes that PostgreSQL does not take. */
const jsonColumns = new Set(["metadata", "captcha_result"]);
const columnValues = columns.map((column) => `lead.${column}${jsonColumns.has(column) ? "::json" : ""}`);

/**
 * Stores no lead whose location is not the organization's, or whose Idempotency-Key is taken. The organization comes out of
 * the location and not from outside, so that a distributed database sees that both lie on the same shard.
 */
const insertLeads = `
  insert into leads (organization_id, ${columns.join(", ")}, duplicate_of)
  select location.organization_id, ${columnValues.join(", ")}, (
      select coalesce(earlier.duplicate_of, earlier.id)
      from leads as earlier
      where earlier.organization_id = $1 and earlier.email_key = lead.email_key
        and earlier.location_id = lead.location_id
        and earlier.created_at > lead.created_at - interval '${duplicateMinutes} minutes'
        and earlier.state = 'accepted'
      order by earlier.created_at desc
      limit 1
    )
  from json_to_recordset($2) as lead (${columnTypes.join(", ")})
  join locations as location on location.organization_id = $1 and location.id = lead.location_id
  on conflict (organization_id, idempotency_key) where idempotency_key is not null do nothing
  returning id`;

/**
 * Stores leads of one organization, all or none: what the database refuses in one, it refuses for all. Answers in their
 * order; undefined: this one was not stored, for one of the two reasons. Two of one person at one location must not come
 * together: neither would be told to be a duplicate.
 */
export async function storeLeads(
  pool: pg.Pool,
  leads: readonly NewLead[],
): Promise<(StoredLead | undefined)[]> {
  const arrived = leads.map(
    ({ past }): StoredLead => past ?? { uuid: uuidv7(), createdAt: new Date(nowMs()) },
  );
  const rows = leads.map((lead, index) => handOver(lead, arrived[index] as StoredLead));
  const stored = await pool.query<{ id: string }>({
    name: "store-leads",
    text: insertLeads,
    values: [leads[0]?.organizationId, JSON.stringify(rows)],
  });
  const ids = new Set(stored.rows.map(({ id }) => id));
  return arrived.map((lead) => (ids.has(lead.uuid) ? lead : undefined));
}

function handOver(input: NewLead, { uuid, createdAt }: StoredLead): HandedOver {
  const { fields, metadata } = input.lead;
  const startsOn = fields.estimatedStartDate;
  return {
    id: uuid,
    location_id: fields.locationUuid,
    email: fields.email,
    email_key: emailKey(fields.email ?? ""),
    first_name: fields.firstName,
    last_name: fields.lastName,
    company_name: fields.companyName,
    phone: fields.phone,
    estimated_start_date: startsOn === null ? null : sqlTimestamp(Date.parse(startsOn)),
    estimated_start_date_string: fields.estimatedStartDateString,
    source: fields.source,
    source_details: fields.sourceDetails,
    notes: fields.notes,
    form_name: fields.formName,
    slug: fields.slug,
    referrer_url: fields.referrerUrl,
    metadata,
    state: input.state,
    captcha_type: input.captcha?.type ?? null,
    captcha_result: input.captcha ? JSON.stringify(input.captcha.result) : null,
    api_key_id: input.apiKeyId,
    address: input.address,
    user_agent: input.userAgent?.slice(0, maxUserAgentLength) ?? null,
    idempotency_key: input.idempotencyKey ?? null,
    body_hash: input.bodyHash ? `\\x${input.bodyHash.toString("hex")}` : null,
    created_at: createdAt.toISOString(),
  };
}
