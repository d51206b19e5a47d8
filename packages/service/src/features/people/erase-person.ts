import type pg from "pg";
import { writeAudit } from "../../core/audit/audit.js";
import { transaction } from "../../core/database/transaction.js";
import { deleteLeads, eraseContacts, eraseDifferences } from "./erase-records.js";
import { eraseTexts } from "./erase-texts.js";
import { nothingErased, takeCounts, takeLease, whileLeased, type ErasureCounts } from "./erasure-state.js";
import { auditedPerson, requirePerson, type PersonQuery } from "./person.js";

export interface ErasureQuery extends PersonQuery {
  /** How many rows one transaction changes or searches, so that each is short. */
  rowsPerStep?: number;
  /** The pool of the transaction that checks the session and begins the erasure. */
  beginIn?: pg.Pool;
}

const defaultRowsPerStep = 200;

/**
 * Erases what is stored under a person's email address or phone number, in short transactions that do not delay imports.
 * An interrupted erasure is completed by repeating it; the result then counts what both have erased.
 */
export async function erasePerson(
  pool: pg.Pool,
  { rowsPerStep = defaultRowsPerStep, beginIn = pool, ...query }: ErasureQuery,
): Promise<ErasureCounts> {
  const person = await requirePerson(pool, query);
  const { organizationId } = person;
  const audited = { organizationId, actor: query.actor };
  const holder = await transaction(beginIn, async (client) => {
    const lease = await takeLease(client, person);
    const detail = { ...auditedPerson(person), ...(lease.isContinued && { isContinued: true }) };
    await writeAudit(client, { ...audited, action: "person.begin-delete", detail });
    return lease.holder;
  });
  const erasure = { pool, person, rowsPerStep };
  return whileLeased(pool, person, holder, async () => {
    // Contacts first: later imports find no contact, so they record no differences from it.
    await eraseContacts(erasure);
    await deleteLeads(erasure);
    await eraseDifferences(erasure);
    await eraseTexts(erasure);
    return transaction(pool, async (client) => {
      const counts = await takeCounts(client, person);
      if (!counts) return nothingErased;
      const detail = { ...auditedPerson(person), ...counts };
      await writeAudit(client, { ...audited, action: "person.delete", detail });
      return counts;
    });
  });
}
