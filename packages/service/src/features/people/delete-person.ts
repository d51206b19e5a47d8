import { createHash } from "node:crypto";
import type pg from "pg";
import { transaction } from "../../core/database/transaction.js";
import { writeAudit, type Actor } from "../../core/audit/audit.js";
import { eraseDifferences } from "./erase-differences.js";
import { eraseSavedViews } from "./erase-saved-views.js";
import { eraseSentValues } from "./erase-sent-values.js";
import { eraseMappings } from "./erase-mappings.js";
import { eraseUploadRows } from "./erase-upload-rows.js";
import { eraseTexts } from "./erase-texts.js";
import { eraseContacts } from "./erase-contacts.js";
import { deleteLeads } from "./delete-leads.js";
import { eraseLeadNotes } from "./erase-lead-notes.js";
import { takeLease, whileLeased } from "./erasure-lease.js";
import { auditedPerson, requirePerson, type Person, type PersonQuery } from "./person.js";

export interface PersonDeletion {
  leadsDeleted: number;
  /** Notes about these leads, and notes about others that mentioned the person. */
  leadNotesDeleted: number;
  contactsErased: number;
  /** Accounts whose contact the person was. */
  accountsErased: number;
  /** Differences and values noted with import runs that showed the person's data, or may have. */
  differencesErased: number;
  /** Rows of uploaded files that showed the person's data. */
  uploadRowsErased: number;
}

export const nothingDeleted: PersonDeletion = {
  leadsDeleted: 0,
  leadNotesDeleted: 0,
  contactsErased: 0,
  accountsErased: 0,
  differencesErased: 0,
  uploadRowsErased: 0,
};

/** An erasure that is under way: the person, and the row that remembers it should it be cut short. */
export interface Erasure {
  pool: pg.Pool;
  person: Person;
  personHash: Buffer;
  /** How many rows one transaction changes or looks through, so that none of them takes long. */
  rowsAStep: number;
}

const defaultRowsAStep = 200;

/**
 * Removes what is stored under a person's e-mail address or phone number, in steps that are transactions of their own
 * and hold no import up. If it is cut short, doing it again completes it and reports what both have done.
 */
export async function deletePerson(
  pool: pg.Pool,
  query: PersonQuery & { rowsAStep?: number; beginIn?: pg.Pool },
): Promise<PersonDeletion> {
  const person = await requirePerson(pool, query);
  const erasure = {
    pool,
    person,
    personHash: hashOf(person),
    rowsAStep: query.rowsAStep ?? defaultRowsAStep,
  };
  const holder = await begin(query.beginIn ?? pool, erasure, query.actor);
  return whileLeased(pool, erasure, holder, async () => {
    // Contacts first: from then on no import finds the person, or notes how a record differed from what was known.
    await eraseContacts(erasure);
    await deleteLeads(erasure);
    await eraseLeadNotes(erasure);
    await eraseDifferences(erasure);
    await eraseSentValues(erasure);
    await eraseUploadRows(erasure);
    await eraseMappings(erasure);
    await eraseSavedViews(erasure);
    // Last: what the steps before have changed is not written into metadata and the audit log any more.
    await eraseTexts(erasure);
    return finish(erasure, query.actor);
  });
}

/** What the row of an erasure is found by that was cut short. */
export function hashOf(person: Person): Buffer {
  return createHash("sha256")
    .update(JSON.stringify([person.email, person.phone]))
    .digest();
}

/** The audit log says who has begun, so that an erasure that is cut short is not without a trace. */
async function begin(pool: pg.Pool, erasure: Erasure, actor: Actor): Promise<string> {
  const { person } = erasure;
  return transaction(pool, async (client) => {
    const { holder, isContinued } = await takeLease(client, erasure);
    await writeAudit(client, {
      organizationId: person.organizationId,
      actor,
      action: "person.begin-delete",
      detail: { ...auditedPerson(person), ...(isContinued && { isContinued }) },
    });
    return holder;
  });
}

interface FinishedRow {
  contacts: number;
  accounts: number;
  leads_deleted: number;
  lead_notes_deleted: number;
  differences_erased: number;
  upload_rows_erased: number;
}

function finish({ pool, person, personHash }: Erasure, actor: Actor): Promise<PersonDeletion> {
  const { organizationId } = person;
  return transaction(pool, async (client) => {
    const { rows } = await client.query<FinishedRow>(
      `delete from person_erasures where organization_id = $1 and person_hash = $2
       returning cardinality(contact_ids) as contacts, cardinality(account_ids) as accounts,
                 leads_deleted, lead_notes_deleted, differences_erased, upload_rows_erased`,
      [organizationId, personHash],
    );
    // None: whoever erased the same person at the same time has finished, and reported all of it.
    if (!rows[0]) return nothingDeleted;
    const deletion = toDeletion(rows[0]);
    await writeAudit(client, {
      organizationId,
      actor,
      action: "person.delete",
      detail: { ...auditedPerson(person), ...deletion },
    });
    return deletion;
  });
}

function toDeletion(row: FinishedRow): PersonDeletion {
  return {
    leadsDeleted: row.leads_deleted,
    leadNotesDeleted: row.lead_notes_deleted,
    contactsErased: row.contacts,
    accountsErased: row.accounts,
    differencesErased: row.differences_erased,
    uploadRowsErased: row.upload_rows_erased,
  };
}
