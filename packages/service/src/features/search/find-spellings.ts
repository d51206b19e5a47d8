import { recordKinds } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { columnName } from "../../core/entities/columns.js";
import { storedTable } from "../../core/entities/entities.js";
import { likelySpellings, storedSpellings, type ReferenceColumn } from "./spellings.js";

/** How many spellings of a reference are tried that differ only in upper and lower case. */
const maxSpellings = 5;

/** Where references are kept to the letter. */
const referenceColumns: ReferenceColumn[] = [
  ...recordKinds.flatMap((kind) => {
    const { table, matches } = storedTable(kind);
    return matches.filter(({ match }) => match.via === "reference").map(({ column }) => ({ table, column }));
  }),
  { table: "import_exceptions", column: "reference" },
];

/** The stored references that differ from the text only in upper and lower case. */
export async function findSpellings(pool: pg.Pool, organizationId: string, text: string): Promise<string[]> {
  const found = new Set<string>();
  for (const column of referenceColumns)
    for (const spelling of await storedSpellings(pool, organizationId, column, text)) found.add(spelling);
  for (const spelling of await otherSpellings(pool, organizationId, text)) found.add(spelling);
  found.delete(text);
  return [...found].slice(0, maxSpellings);
}

/** A reference by which nothing is matched is not ordered by its bytes. */
async function otherSpellings(pool: pg.Pool, organizationId: string, text: string): Promise<string[]> {
  const { rows: places } = await pool.query<{ reference: string }>(
    `select distinct tp_reference_id as reference from locations
     where organization_id = $1 and lower(tp_reference_id) = lower($2) limit ${maxSpellings}`,
    [organizationId, text],
  );
  const found = places.map(({ reference }) => reference);
  for (const kind of recordKinds) {
    const { entity, table } = storedTable(kind);
    if (entity.otherReference === undefined) continue;
    const column = columnName(entity.otherReference);
    const { rows } = await pool.query<{ reference: string }>(
      `select distinct ${column} as reference from ${table}
       where organization_id = $1 and ${column} = any ($2::text[]) limit ${maxSpellings}`,
      [organizationId, likelySpellings(text)],
    );
    found.push(...rows.map(({ reference }) => reference));
  }
  return found;
}
