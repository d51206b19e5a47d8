import { emailKey, type CaptchaType } from "@gatehouse-parking/contract";
import type pg from "pg";
import { nowMs } from "../clock.js";
import { sqlTimestamp } from "../database/copy-text.js";
import { columnTypes, type Column } from "../entities/columns.js";
import { storedLead } from "../entities/entities.js";
import { Refused } from "../refusals/refused.js";
import { uuidv7 } from "../uuidv7.js";
import type { Statement } from "../database/pipeline.js";
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
  /** Instead of a new identifier and now, as in the history of the demo organization. */
  past?: StoredLead | undefined;
}

/** Leads with the same email and location within this time are marked as duplicates of the first. */
const duplicateMinutes = 10;
const maxUserAgentLength = 512;

/** The type of each column beside those of the lead's fields. */
const ownTypes = {
  id: "uuid",
  location_id: "uuid",
  email_key: "text",
  state: "text",
  captcha_type: "text",
  captcha_result: "json",
  api_key_id: "uuid",
  address: "text",
  user_agent: "text",
  idempotency_key: "text",
  body_hash: "bytea",
  created_at: "timestamptz",
} as const;
type OwnRow = Record<keyof typeof ownTypes, string | null | undefined>;

const types: Record<string, string> = {
  ...ownTypes,
  ...Object.fromEntries(storedLead.columns.map(({ name, kind }) => [name, columnTypes[kind]])),
};
const columns = Object.keys(types);
/** $1 is the organization. */
const parameter = (column: string) => `$${columns.indexOf(column) + 2}::${types[column]}`;

/**
 * Inserts nothing if the location is not the organization's or the Idempotency-Key is taken. The organization is read
 * from the location, so that Citus sees that both are on the same shard.
 */
const insertLead = `
  insert into leads (organization_id, ${columns.join(", ")}, duplicate_of)
  select location.organization_id, ${columns.map(parameter).join(", ")}, (
      select coalesce(earlier.duplicate_of, earlier.id)
      from leads as earlier
      where earlier.organization_id = $1 and earlier.email_key = ${parameter("email_key")}
        and earlier.location_id = location.id
        and earlier.created_at > ${parameter("created_at")} - interval '${duplicateMinutes} minutes'
        and earlier.state = 'accepted'
      order by earlier.created_at desc
      limit 1
    )
  from locations as location
  where location.organization_id = $1 and location.id = ${parameter("location_id")}
  on conflict (organization_id, idempotency_key) where idempotency_key is not null do nothing`;

/** A lead on its way into the table. */
export interface LeadInsert {
  statement: Statement;
  /** Undefined: not stored, because the location is not the organization's or the Idempotency-Key is taken. */
  stored: StoredLead | undefined;
}

export function leadInsert(lead: NewLead): LeadInsert {
  const arrived = lead.past ?? { uuid: uuidv7(), createdAt: new Date(nowMs()) };
  const row = toRow(lead, arrived);
  const insert: LeadInsert = {
    statement: {
      name: "store-lead",
      text: insertLead,
      values: [lead.organizationId, ...columns.map((column) => row[column] ?? null)],
      take: ({ rowCount }) => {
        insert.stored = rowCount === 1 ? arrived : undefined;
      },
    },
    stored: undefined,
  };
  return insert;
}

function toRow(input: NewLead, { uuid, createdAt }: StoredLead): Record<string, string | null | undefined> {
  const { fields } = input.lead;
  const own: OwnRow = {
    id: uuid,
    location_id: fields["locationUuid"],
    email_key: emailKey(fields["email"] ?? ""),
    state: input.state,
    captcha_type: input.captcha?.type ?? null,
    captcha_result: input.captcha ? JSON.stringify(input.captcha.result) : null,
    api_key_id: input.apiKeyId,
    address: input.address,
    user_agent: input.userAgent?.slice(0, maxUserAgentLength) ?? null,
    idempotency_key: input.idempotencyKey ?? null,
    body_hash: input.bodyHash && `\\x${input.bodyHash.toString("hex")}`,
    created_at: createdAt.toISOString(),
  };
  const sent = storedLead.columns.map((column) => [column.name, toSql(column, fields[column.field] ?? null)]);
  return { ...own, ...(Object.fromEntries(sent) as Record<string, string | null>) };
}

function toSql({ kind, default: absent }: Column, text: string | null): string | null {
  if (text === null) return absent === undefined ? null : String(absent);
  return kind === "timestamp" ? sqlTimestamp(Date.parse(text)) : text;
}

export interface LeadKey {
  organizationId: string;
  idempotencyKey: string;
  bodyHash: Buffer;
}

/** The lead that was stored under the Idempotency-Key. Refuses the key if that was another lead. */
export async function findReplay(pool: pg.Pool, key: LeadKey): Promise<StoredLead | undefined> {
  const { rows } = await pool.query<StoredLead & { bodyHash: Buffer }>({
    name: "find-earlier-lead",
    text: `
      select id as uuid, created_at as "createdAt", body_hash as "bodyHash"
      from leads where organization_id = $1 and idempotency_key = $2`,
    values: [key.organizationId, key.idempotencyKey],
  });
  const [earlier] = rows;
  if (earlier && !earlier.bodyHash.equals(key.bodyHash)) throw new Refused("idempotencyConflict");
  return earlier;
}

export async function isLocationOf(
  pool: pg.Pool,
  organizationId: string,
  locationUuid: string,
): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: "is-location-of",
    text: "select from locations where organization_id = $1 and id = $2",
    values: [organizationId, locationUuid],
  });
  return rowCount === 1;
}
