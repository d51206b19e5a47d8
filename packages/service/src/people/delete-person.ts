import { createHash } from "node:crypto";
import type pg from "pg";
import { transaction } from "../database/transaction.js";
import { writeAudit } from "../audit/audit.js";
import { eraseDifferences } from "./erase-differences.js";
import { eraseSavedViews } from "./erase-saved-views.js";
import { eraseSentValues } from "./erase-sent-values.js";
import { eraseUploadRows } from "./erase-upload-rows.js";
import { eraseContacts } from "./erase-contacts.js";
import { deleteLeads } from "./delete-leads.js";
import { auditedPerson, requirePerson, type Person, type PersonQuery } from "./person.js";

export interface PersonDeletion {
  leadsDeleted: number;
  contactsErased: number;
  /** Accounts whose contact the person was. */
  accountsErased: number;
  /** Differences and values noted with import runs that showed the person's data, or may have. */
  differencesErased: number;
  /** Rows of uploaded files that showed the person's data. */
  uploadRowsErased: number;
}

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
  query: PersonQuery & { rowsAStep?: number },
): Promise<PersonDeletion> {
  const person = await requirePerson(pool, query);
  const personHash = createHash("sha256")
    .update(JSON.stringify([person.email, person.phone]))
    .digest();
  const erasure = { pool, person, personHash, rowsAStep: query.rowsAStep ?? defaultRowsAStep };
  await begin(erasure);
  // Contacts first: from then on no import finds the person, or notes how a record differed from what was known.
  await eraseContacts(erasure);
  await deleteLeads(erasure);
  await eraseDifferences(erasure);
  await eraseSentValues(erasure);
  await eraseUploadRows(erasure);
  await eraseSavedViews(erasure);
  return finish(erasure, query.actor);
}

async function begin({ pool, person, personHash }: Erasure): Promise<void> {
  await pool.query(
    "insert into person_erasures (organization_id, person_hash) values ($1, $2) on conflict do nothing",
    [person.organizationId, personHash],
  );
}

interface FinishedRow {
  contacts: number;
  accounts: number;
  leads_deleted: number;
  differences_erased: number;
  upload_rows_erased: number;
}
const nothingErased: FinishedRow = {
  contacts: 0,
  accounts: 0,
  leads_deleted: 0,
  differences_erased: 0,
  upload_rows_erased: 0,
};

function finish({ pool, person, personHash }: Erasure, actor: string): Promise<PersonDeletion> {
  const { organizationId } = person;
  return transaction(pool, async (client) => {
    const { rows } = await client.query<FinishedRow>(
      `delete from person_erasures where organization_id = $1 and person_hash = $2
       returning cardinality(contact_ids) as contacts, cardinality(account_ids) as accounts,
                 leads_deleted, differences_erased, upload_rows_erased`,
      [organizationId, personHash],
    );
    // None: whoever erased the same person at the same time has finished, and reported all of it.
    const erased = rows[0] ?? nothingErased;
    const deletion: PersonDeletion = {
      leadsDeleted: erased.leads_deleted,
      contactsErased: erased.contacts,
      accountsErased: erased.accounts,
      differencesErased: erased.differences_erased,
      uploadRowsErased: erased.upload_rows_erased,
    };
    await writeAudit(client, {
      organizationId,
      actor,
      action: "person.delete",
      detail: { ...auditedPerson(person), ...deletion },
    });
    return deletion;
  });
}
