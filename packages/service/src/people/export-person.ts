import type pg from "pg";
import { transaction } from "../database/transaction.js";
import { writeAudit } from "../organizations/audit.js";
import { listRecords, type ShownRecord } from "../records/show-record.js";
import { hashedEmail, requirePerson, type PersonQuery } from "./person.js";

export interface PersonExport {
  email: string;
  leads: ShownRecord[];
  contacts: ShownRecord[];
}

/** Everything that is stored under a person's e-mail address, for the person. */
export async function exportPerson(pool: pg.Pool, query: PersonQuery): Promise<PersonExport> {
  return transaction(pool, async (client) => {
    const email = await requirePerson(client, query);
    const { organizationId } = query;
    const stored = { organizationId, column: "email_key", value: email };
    const leads = await listRecords(client, { ...stored, kind: "lead" });
    const contacts = await listRecords(client, { ...stored, kind: "contact" });
    await writeAudit(client, {
      organizationId,
      actor: query.actor,
      action: "person.export",
      detail: { emailSha256: hashedEmail(email), leads: leads.length, contacts: contacts.length },
    });
    return { email, leads, contacts };
  });
}
