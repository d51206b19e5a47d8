import { maxLeadNoteLength, maxLeadNotes } from "@gatehouse-parking/contract";
import type { LeadNote } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { actorName, writeAudit, type Actor } from "../audit/audit.js";
import { nowMs } from "../clock.js";
import { type Connection, transaction } from "../database/transaction.js";
import { notFoundError, conflictError, requireText } from "../refusals/user-error.js";
import { uuidv7 } from "../uuidv7.js";
import { withAssignees } from "./assignees.js";

/** The work on a lead, with the names of the export. */
export interface LeadWork {
  workState: string;
  workStateChangedBy: string | null;
  workStateChangedAt: string | null;
  /** The email address of the member who works on it. */
  assignee: string | null;
  workNotes: { text: string; author: string; at: string }[];
}

const untouched: LeadWork = {
  workState: "new",
  workStateChangedBy: null,
  workStateChangedAt: null,
  assignee: null,
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
  const { rows: assigned } = await connection.query<{ id: string; assignee_key: string }>(
    `select id, assignee_key from leads
     where organization_id = $1 and id = any ($2::uuid[]) and assignee_key is not null`,
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
  for (const { id, assignee } of await withAssignees(connection, organizationId, assigned))
    workOn(id).assignee = assignee?.email ?? null;
  for (const { lead_id: leadId, note, author, created_at: at } of notes)
    workOn(leadId).workNotes.push({ text: note, author, at: at.toISOString() });
  return leadIds.map((leadId) => workOn(leadId));
}

/** Adds the work to each lead. */
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

/** Notes about a lead. A note never changes, and only its author removes it. */
interface LeadKey {
  organizationId: string;
  leadId: string;
  /** The user who reads the notes. */
  userId: string;
}

interface NoteRow {
  id: string;
  author_id: string;
  author: string;
  note: string;
  created_at: Date;
}
const noteColumns = "id, author_id, author, note, created_at";

/** Oldest first. */
export async function listNotes(connection: Connection, key: LeadKey): Promise<LeadNote[]> {
  const { rows } = await connection.query<NoteRow>(
    `select ${noteColumns} from lead_notes where organization_id = $1 and lead_id = $2 order by id limit $3`,
    [key.organizationId, key.leadId, maxLeadNotes],
  );
  return rows.map((row) => toNote(row, key.userId));
}

export async function showNote(
  connection: Connection,
  { noteId, ...key }: LeadKey & { noteId: string },
): Promise<LeadNote> {
  const { rows } = await connection.query<NoteRow>(
    `select ${noteColumns} from lead_notes where organization_id = $1 and lead_id = $2 and id = $3`,
    [key.organizationId, key.leadId, noteId],
  );
  if (!rows[0]) throw notFoundError(`There is no note ${noteId}`);
  return toNote(rows[0], key.userId);
}

/** The audit log omits the text, because audit entries are never erased and personal data can be. */
export async function addNote(
  connection: Connection,
  { organizationId, leadId, userId, actor, ...given }: LeadKey & { text: string; actor: Actor },
): Promise<LeadNote> {
  const text = requireText("text", given.text, maxLeadNoteLength).trim();
  return transaction(connection, async (client) => {
    await lockLead(client, organizationId, leadId);
    const { rows } = await client.query<{ count: number }>(
      "select count(*)::integer as count from lead_notes where organization_id = $1 and lead_id = $2",
      [organizationId, leadId],
    );
    if ((rows[0]?.count ?? 0) >= maxLeadNotes)
      throw conflictError(`This lead has ${maxLeadNotes} notes already; remove some of them`);
    const row: NoteRow = {
      id: uuidv7(),
      author_id: userId,
      author: actorName(actor),
      note: text,
      created_at: new Date(nowMs()),
    };
    await client.query(
      `insert into lead_notes (organization_id, lead_id, id, author_id, author, note, created_at)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [organizationId, leadId, row.id, row.author_id, row.author, row.note, row.created_at],
    );
    await writeAudit(client, { organizationId, actor, action: "lead.add-note", subjectId: leadId });
    return toNote(row, userId);
  });
}

export async function removeNote(
  pool: pg.Pool,
  { actor, noteId, ...key }: LeadKey & { noteId: string; actor: Actor },
): Promise<void> {
  const { organizationId, leadId } = key;
  await transaction(pool, async (client) => {
    await lockLead(client, organizationId, leadId);
    const { isOwn } = await showNote(client, { ...key, noteId });
    if (!isOwn) throw conflictError("Only its author can remove a note");
    await client.query("delete from lead_notes where organization_id = $1 and lead_id = $2 and id = $3", [
      organizationId,
      leadId,
      noteId,
    ]);
    await writeAudit(client, { organizationId, actor, action: "lead.remove-note", subjectId: leadId });
  });
}

/** Serializes changes of the notes of a lead, also with its deletion. */
async function lockLead(client: pg.PoolClient, organizationId: string, leadId: string): Promise<void> {
  const { rowCount } = await client.query(
    "select from leads where organization_id = $1 and id = $2 for update",
    [organizationId, leadId],
  );
  if (rowCount === 0) throw notFoundError(`There is no lead ${leadId}`);
}

function toNote(row: NoteRow, userId: string): LeadNote {
  return {
    uuid: row.id,
    text: row.note,
    author: row.author,
    at: row.created_at.toISOString(),
    isOwn: row.author_id === userId,
  };
}
