import { phoneDigits } from "@gatehouse-parking/contract";
import type { LeadDetail } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { lastEntry } from "../audit/list-audit.js";
import { findKeys } from "../organizations/shown-keys.js";
import { NotFoundError } from "../refusals/input-errors.js";
import { quarantining } from "./change-leads.js";
import { listNotes } from "./lead-notes.js";
import { leadsOfPerson } from "./leads-of-person.js";
import { leadColumns, leadJoins, toLeadRow, type StoredLead } from "./list-leads.js";

interface DetailRow extends StoredLead {
  email_key: string;
  estimated_start_date: Date | null;
  estimated_start_date_string: string | null;
  source_details: string | null;
  notes: string | null;
  form_name: string | null;
  slug: string | null;
  referrer_url: string | null;
  metadata: string | null;
  captcha_type: string | null;
  captcha_result: string | null;
  api_key_id: string;
  address: string;
  user_agent: string | null;
  state_changed_by: string | null;
  state_changed_at: Date | null;
}

const maxOtherLeads = 20;

export interface LeadAsked {
  organizationId: string;
  leadId: string;
  /** Who looks: their own notes can be removed. */
  userId: string;
}

export async function showLead(
  pool: pg.Pool,
  { organizationId, leadId, userId }: LeadAsked,
): Promise<LeadDetail> {
  const { rows } = await pool.query<DetailRow>(
    `select ${leadColumns}, record.email_key, record.estimated_start_date, record.estimated_start_date_string,
            record.source_details, record.notes, record.form_name, record.slug, record.referrer_url,
            record.metadata, record.captcha_type, record.captcha_result, record.api_key_id, record.address,
            record.user_agent, record.state_changed_by, record.state_changed_at
     from leads as record ${leadJoins}
     where record.organization_id = $1 and record.id = $2`,
    [organizationId, leadId],
  );
  const row = rows[0];
  if (!row) throw new NotFoundError(`There is no lead ${leadId}`);
  const keys = await findKeys(pool, organizationId, [row.api_key_id]);
  return {
    ...toLeadRow(row),
    estimatedStartDate: row.estimated_start_date?.toISOString() ?? null,
    estimatedStartDateString: row.estimated_start_date_string,
    sourceDetails: row.source_details,
    notes: row.notes,
    formName: row.form_name,
    slug: row.slug,
    referrerUrl: row.referrer_url,
    metadata: row.metadata,
    captchaType: row.captcha_type,
    captchaResult: row.captcha_result,
    apiKey: keys.get(row.api_key_id) ?? null,
    address: row.address,
    userAgent: row.user_agent,
    movedBy: await findMover(pool, organizationId, row),
    workChanged:
      row.work_changed_by === null || row.work_changed_at === null
        ? null
        : { actor: row.work_changed_by, at: row.work_changed_at.toISOString() },
    workNotes: await listNotes(pool, { organizationId, leadId, userId }),
    others: await findOthers(pool, organizationId, row),
  };
}

async function findOthers(
  pool: pg.Pool,
  organizationId: string,
  { id, email_key: emailKey, phone }: DetailRow,
): Promise<LeadDetail["others"]> {
  const { rows } = await pool.query<StoredLead>(
    `select ${leadColumns}
     from (${leadsOfPerson("$2", "$3", maxOtherLeads + 1)}) as same
     cross join lateral (
       select * from leads where organization_id = $1 and leads.id = same.id limit 1
     ) as record ${leadJoins}
     where record.id <> $4 order by record.id desc limit ${maxOtherLeads}`,
    [organizationId, emailKey, phone === null ? null : phoneDigits(phone), id],
  );
  return rows.map(toLeadRow);
}

async function findMover(
  pool: pg.Pool,
  organizationId: string,
  row: DetailRow,
): Promise<LeadDetail["movedBy"]> {
  if (row.state_changed_by !== null && row.state_changed_at !== null)
    return { actor: row.state_changed_by, at: row.state_changed_at.toISOString() };
  // Release 1.0.0 has told the trail alone.
  if (row.state === "accepted") return null;
  return lastEntry(pool, { organizationId, action: quarantining, subjectId: row.id });
}
