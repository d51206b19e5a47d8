import type pg from "pg";
import { transaction } from "../database/transaction.js";
import { writeAudit } from "../audit/audit.js";
import { listRecords, type ShownRecord } from "../records/show-record.js";
import { findAccounts, findContacts, findLeads } from "./find-records.js";
import { auditedPerson, requirePerson, type PersonQuery } from "./person.js";

export interface PersonExport {
  email?: string;
  phone?: string;
  leads: ShownRecord[];
  contacts: ShownRecord[];
  /** Accounts whose contact the person is. */
  accounts: ShownRecord[];
}

/** Nobody has more; the newest would be missing. */
const maxRecords = 10_000;

/** Everything that is stored under a person's e-mail address or phone number, for the person. */
export async function exportPerson(pool: pg.Pool, query: PersonQuery): Promise<PersonExport> {
  return transaction(pool, async (client) => {
    const person = await requirePerson(client, query);
    const { organizationId, email, phone } = person;
    const list = (kind: "lead" | "contact" | "account", ids: string[]) =>
      listRecords(client, { organizationId, kind, ids });
    const leads = await list("lead", await findLeads(client, person, maxRecords));
    const contacts = await list("contact", await findContacts(client, person));
    const accounts = await list("account", await findAccounts(client, person, maxRecords));
    await writeAudit(client, {
      organizationId,
      actor: query.actor,
      action: "person.export",
      detail: {
        ...auditedPerson(person),
        leads: leads.length,
        contacts: contacts.length,
        accounts: accounts.length,
      },
    });
    return {
      ...(email !== undefined && { email }),
      ...(phone !== undefined && { phone }),
      leads,
      contacts,
      accounts,
    };
  });
}
