import type pg from "pg";
import { transaction } from "../../core/database/transaction.js";
import type { Difference } from "../../core/imports/compare/compare.js";
import type { Erasure } from "./delete-person.js";
import { mentions, type Person } from "./person.js";
import { lowestUuid } from "../../core/uuidv7.js";

/** Runs keep how a repeated record differed from the stored one; what was known of the person is among it. */
export async function eraseDifferences(erasure: Erasure): Promise<void> {
  const { contacts, accounts } = await readErased(erasure);
  for (const contactId of contacts) await eraseOfTransactions(erasure, contactId);
  for (const accountId of accounts) await eraseOfAccount(erasure, accountId);
  await eraseMentions(erasure);
}

/** Whose contact it was: nothing but the row of the erasure tells it now. */
async function readErased({
  pool,
  person,
  personHash,
}: Erasure): Promise<{ contacts: string[]; accounts: string[] }> {
  const { rows } = await pool.query<{ contacts: string[]; accounts: string[] }>(
    `select contact_ids as contacts, account_ids as accounts from person_erasures
     where organization_id = $1 and person_hash = $2`,
    [person.organizationId, personHash],
  );
  return rows[0] ?? { contacts: [], accounts: [] };
}

async function eraseOfTransactions(erasure: Erasure, contactId: string): Promise<void> {
  const { pool, person, rowsAStep } = erasure;
  let after = lowestUuid;
  for (;;) {
    const { rows } = await pool.query<{ id: string; reference: string }>(
      `select id, transaction_id as reference from transactions
       where organization_id = $1 and contact_id = $2 and id > $3 order by id limit $4`,
      [person.organizationId, contactId, after, rowsAStep],
    );
    await eraseOfReferences(
      erasure,
      rows.map(({ reference }) => reference),
    );
    if (rows.length < rowsAStep) return;
    after = rows.at(-1)?.id as string;
  }
}

async function eraseOfAccount(erasure: Erasure, id: string): Promise<void> {
  const { rows } = await erasure.pool.query<{ reference: string }>(
    "select tp_reference_id as reference from accounts where organization_id = $1 and id = $2",
    [erasure.person.organizationId, id],
  );
  await eraseOfReferences(
    erasure,
    rows.map(({ reference }) => reference),
  );
}

/** Lateral, as all look-ups, so that the index is used before anything is known of the table. */
const findByReference = `
  select run_id, position
  from unnest($2::text[]) as wanted (reference)
  cross join lateral (
    select run_id, position from import_exceptions
    where organization_id = $1 and reference = wanted.reference and differences is not null
    limit $3
  ) as found
  limit $3`;

/** All that the records with these references differed by, whatever it was. */
async function eraseOfReferences(erasure: Erasure, references: string[]): Promise<void> {
  const { pool, person, rowsAStep } = erasure;
  if (references.length === 0) return;
  let found: number;
  do {
    found = await transaction(pool, async (client) => {
      const { rows } = await client.query<Place>(findByReference, [
        person.organizationId,
        references,
        rowsAStep,
      ]);
      await eraseAt(client, erasure, rows);
      return rows.length;
    });
  } while (found >= rowsAStep);
}

interface Place {
  run_id: string;
  position: number;
}
interface NotedDifferences extends Place {
  reference: string;
  differences: string;
}

/** What records of others differed by: somebody may have sent the person as their contact. All of it is read once. */
async function eraseMentions(erasure: Erasure): Promise<void> {
  const { pool, person, rowsAStep } = erasure;
  let last = { reference: "", run_id: lowestUuid, position: -1 };
  for (;;) {
    const page = await transaction(pool, async (client) => {
      const { rows } = await client.query<NotedDifferences>(
        `select reference, run_id, position, differences from import_exceptions
         where organization_id = $1 and differences is not null and reference is not null
           and (reference, run_id, position) > ($2, $3, $4)
         order by reference, run_id, position limit $5`,
        [person.organizationId, last.reference, last.run_id, last.position, rowsAStep],
      );
      await eraseAt(
        client,
        erasure,
        rows.filter(({ differences }) => isAbout(person, differences)),
      );
      return rows;
    });
    const end = page.at(-1);
    if (end === undefined || page.length < rowsAStep) return;
    last = end;
  }
}

function isAbout(person: Person, differences: string): boolean {
  return (JSON.parse(differences) as Difference[]).some(({ stored, sent }) =>
    [stored, sent].some((text) => text !== null && mentions(person, text)),
  );
}

async function eraseAt(
  client: pg.PoolClient,
  { person, personHash }: Erasure,
  places: Place[],
): Promise<void> {
  const { organizationId } = person;
  let erased = 0;
  for (const { run_id: runId, position } of places) {
    const { rowCount } = await client.query(
      `update import_exceptions set differences = null
       where organization_id = $1 and run_id = $2 and position = $3 and differences is not null`,
      [organizationId, runId, position],
    );
    erased += rowCount ?? 0;
  }
  if (erased === 0) return;
  await client.query(
    `update person_erasures set differences_erased = differences_erased + $3
     where organization_id = $1 and person_hash = $2`,
    [organizationId, personHash, erased],
  );
}
