import type { Connection } from "../database/transaction.js";

/** What people did with a lead, in the names that a file of it has. */
export interface LeadWork {
  workState: string;
  workStateChangedBy: string | null;
  workStateChangedAt: string | null;
  workNotes: { text: string; author: string; at: string }[];
}

const untouched: LeadWork = {
  workState: "new",
  workStateChangedBy: null,
  workStateChangedAt: null,
  workNotes: [],
};

/** The work on these leads, in their order. */
export async function listWork(
  connection: Connection,
  organizationId: string,
  leadIds: readonly string[],
): Promise<LeadWork[]> {
  const { rows: states } = await connection.query<{
    lead_id: string;
    state: string;
    changed_by: string;
    changed_at: Date;
  }>(
    `select lead_id, state, changed_by, changed_at from lead_work
     where organization_id = $1 and lead_id = any ($2::uuid[])`,
    [organizationId, leadIds],
  );
  const { rows: notes } = await connection.query<{
    lead_id: string;
    author: string;
    note: string;
    created_at: Date;
  }>(
    `select lead_id, author, note, created_at from lead_notes
     where organization_id = $1 and lead_id = any ($2::uuid[]) order by lead_id, id`,
    [organizationId, leadIds],
  );
  const work = new Map<string, LeadWork>();
  const workOn = (leadId: string): LeadWork => {
    const known = work.get(leadId) ?? { ...untouched, workNotes: [] };
    work.set(leadId, known);
    return known;
  };
  for (const row of states)
    Object.assign(workOn(row.lead_id), {
      workState: row.state,
      workStateChangedBy: row.changed_by,
      workStateChangedAt: row.changed_at.toISOString(),
    });
  for (const { lead_id: leadId, note, author, created_at: at } of notes)
    workOn(leadId).workNotes.push({ text: note, author, at: at.toISOString() });
  return leadIds.map((leadId) => workOn(leadId));
}

/** The leads with what people did with them, as their pages in the console show it. */
export async function withWork<Lead extends Record<string, unknown>>(
  connection: Connection,
  organizationId: string,
  leads: Lead[],
): Promise<(Lead & Partial<LeadWork>)[]> {
  const work = await listWork(
    connection,
    organizationId,
    leads.map((lead) => lead["uuid"] as string),
  );
  return leads.map((lead, index) => ({ ...lead, ...work[index] }));
}
