import { phoneDigits } from "@gatehouse-parking/contract";
import type { LeadDetail, LeadRow } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { lastEntry } from "../audit/list-audit.js";
import { shownFieldsOf } from "../entities/columns.js";
import { storedLead } from "../entities/entities.js";
import { findKeys } from "../organizations/api-keys.js";
import { notFoundError } from "../refusals/user-error.js";
import { quarantining } from "./change-leads.js";
import { withAssignees } from "./assignees.js";
import { listNotes } from "./lead-work.js";
import { leadsOfPerson } from "./leads-of-person.js";
import { leadColumns, leadColumnsWith, leadJoins, toLeadRow, type StoredLead } from "./list-leads.js";

interface DetailRow extends StoredLead {
  email_key: string;
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
  /** The user who reads it: they can remove their own notes. */
  userId: string;
}

export async function showLead(
  pool: pg.Pool,
  { organizationId, leadId, userId }: LeadAsked,
): Promise<LeadDetail> {
  const { rows } = await pool.query<DetailRow>(
    `select ${leadColumnsWith(storedLead.columns)}, record.email_key,
            record.captcha_type, record.captcha_result, record.api_key_id, record.address,
            record.user_agent, record.state_changed_by, record.state_changed_at
     from leads as record ${leadJoins}
     where record.organization_id = $1 and record.id = $2`,
    [organizationId, leadId],
  );
  const row = rows[0];
  if (!row) throw notFoundError(`There is no lead ${leadId}`);
  const [lead] = await withAssignees(pool, organizationId, [row]);
  const keys = await findKeys(pool, organizationId, [row.api_key_id]);
  return {
    ...(shownFieldsOf(storedLead.columns, row) as Omit<LeadDetail, keyof LeadRow>),
    ...toLeadRow({ ...row, assignee: lead?.assignee ?? null }),
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
  return (await withAssignees(pool, organizationId, rows)).map(toLeadRow);
}

async function findMover(
  pool: pg.Pool,
  organizationId: string,
  row: DetailRow,
): Promise<LeadDetail["movedBy"]> {
  if (row.state_changed_by !== null && row.state_changed_at !== null)
    return { actor: row.state_changed_by, at: row.state_changed_at.toISOString() };
  // Release 1.0.0 recorded this only in the audit log.
  if (row.state === "accepted") return null;
  return lastEntry(pool, { organizationId, action: quarantining, subjectId: row.id });
}
