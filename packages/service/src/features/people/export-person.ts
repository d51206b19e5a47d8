import { jsonLine, stringifyExactly } from "@gatehouse-parking/json-text";
import type pg from "pg";
import { transaction } from "../../core/database/transaction.js";
import { writeAudit } from "../../core/audit/audit.js";
import { withWork } from "../../core/leads/lead-work.js";
import { listRecords, type ShownRecord } from "../../core/records/show-record.js";
import { findRecords, type FoundRecords } from "./find-person.js";
import { auditedPerson, requirePerson, type Person, type PersonQuery } from "./person.js";

export interface PersonExport {
  email?: string;
  phone?: string;
  /** With their notes and states. */
  leads: ShownRecord[];
  contacts: ShownRecord[];
  /** Accounts whose contact the person is. */
  accounts: ShownRecord[];
}

/** Far more than a person has. The newest beyond it would be missing. */
const maxRecords = 10_000;
/** Limits memory: an account or a contact may be as large as a request. */
const recordsPerRead = { leads: 20, contacts: 1, accounts: 1 };

const kinds = { leads: "lead", contacts: "contact", accounts: "account" } as const;
type List = keyof typeof kinds;
const lists = Object.keys(kinds) as List[];

/** The records to export, which are read later. */
export interface StartedExport {
  person: Person;
  found: FoundRecords;
}

/** Finds the records and writes the export to the audit log. */
export async function startExport(pool: pg.Pool, query: PersonQuery): Promise<StartedExport> {
  return transaction(pool, async (client) => {
    const person = await requirePerson(client, query);
    const found = await findRecords(client, person, maxRecords);
    await writeAudit(client, {
      organizationId: person.organizationId,
      actor: query.actor,
      action: "person.export",
      detail: {
        ...auditedPerson(person),
        ...Object.fromEntries(lists.map((list) => [list, found[list].length])),
      },
    });
    return { person, found };
  });
}

/** Everything that is stored under a person's email address or phone number. */
export async function exportPerson(pool: pg.Pool, query: PersonQuery): Promise<PersonExport> {
  const started = await startExport(pool, query);
  const exported: PersonExport = { ...knownBy(started.person), leads: [], contacts: [], accounts: [] };
  for (const list of lists)
    for await (const records of readRecords(pool, started, list)) exported[list].push(...records);
  return exported;
}

/** The same as a file, in chunks. */
export async function* exportFile(
  pool: pg.Pool,
  started: StartedExport,
  format: "json" | "ndjson",
): AsyncGenerator<string> {
  if (format === "ndjson") {
    for (const list of lists)
      for await (const records of readRecords(pool, started, list))
        yield records.map((record) => jsonLine({ kind: kinds[list], ...record })).join("");
    return;
  }
  // Without the closing brace, because the lists follow.
  yield JSON.stringify(knownBy(started.person)).slice(0, -1);
  for (const list of lists) {
    yield `,\n"${list}":[`;
    let separator = "\n";
    for await (const records of readRecords(pool, started, list)) {
      if (records.length === 0) continue;
      yield separator + records.map((record) => stringifyExactly(record)).join(",\n");
      separator = ",\n";
    }
    yield "]";
  }
  yield "}\n";
}

function knownBy({ email, phone }: Person): { email?: string; phone?: string } {
  return { ...(email !== undefined && { email }), ...(phone !== undefined && { phone }) };
}

async function* readRecords(
  pool: pg.Pool,
  { person: { organizationId }, found }: StartedExport,
  list: List,
): AsyncGenerator<ShownRecord[]> {
  const ids = found[list].toSorted();
  for (let begin = 0; begin < ids.length; begin += recordsPerRead[list]) {
    const part = ids.slice(begin, begin + recordsPerRead[list]);
    const records = await listRecords(pool, { organizationId, kind: kinds[list], ids: part });
    yield list === "leads" ? await withWork(pool, organizationId, records) : records;
  }
}
