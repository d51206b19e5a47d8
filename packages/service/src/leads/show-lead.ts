import type pg from "pg";
import { transaction } from "../database/transaction.js";
import { actorName, changesBetween, writeAudit, type Actor } from "../audit/audit.js";
import { lastEntry } from "../audit/last-entry.js";
import { NothingFound } from "../refusals/invalid-input.js";
import type { LeadDetail } from "@gatehouse-parking/contract/console";
import { findKeys } from "../organizations/shown-keys.js";
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

export async function showLead(pool: pg.Pool, organizationId: string, leadId: string): Promise<LeadDetail> {
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
  if (!row) throw new NothingFound(`There is no lead ${leadId}`);
  const others = await pool.query<StoredLead>(
    `select ${leadColumns} from leads as record ${leadJoins}
     where record.organization_id = $1 and record.email_key = $2 and record.id <> $3
     order by record.created_at desc limit ${maxOtherLeads}`,
    [organizationId, row.email_key, leadId],
  );
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
    others: others.rows.map(toLeadRow),
  };
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
  return lastEntry(pool, { organizationId, action: moving, subjectId: row.id });
}

const moving = "lead.update";

/** Takes a lead out of quarantine that a person filled in after all, or puts one there that a machine did. */
export async function changeLeadState(
  pool: pg.Pool,
  input: { organizationId: string; leadId: string; state: "accepted" | "quarantined"; actor: Actor },
): Promise<void> {
  await transaction(pool, async (client) => {
    const { rows } = await client.query<{ state: string }>(
      "select state from leads where organization_id = $1 and id = $2 for update",
      [input.organizationId, input.leadId],
    );
    if (!rows[0]) throw new NothingFound(`There is no lead ${input.leadId}`);
    if (rows[0].state !== input.state)
      await client.query(
        `update leads set state = $3, state_changed_by = $4, state_changed_at = now()
         where organization_id = $1 and id = $2`,
        [input.organizationId, input.leadId, input.state, actorName(input.actor)],
      );
    await writeAudit(client, {
      organizationId: input.organizationId,
      actor: input.actor,
      action: moving,
      subjectId: input.leadId,
      detail: changesBetween({ state: rows[0].state }, { state: input.state }),
    });
  });
}
