import { phoneDigitsOf } from "../../core/database/phone-digits.js";
import { transaction } from "../../core/database/transaction.js";
import { lowestUuid } from "../../core/uuidv7.js";
import type { Erasure } from "./delete-person.js";
import { emailSkeleton, emailSkeletonOf, mentions, mentionsInText, type Person } from "./person.js";
import { searchedTables, type SearchedTable } from "./text-columns.js";
import { erasedText, replaceTexts } from "./texts-within.js";

/** Rows that one statement searches. Small pages keep memory low and let other statements run in between. */
const rowsPerPage = 100;
const lowest = { uuid: lowestUuid, integer: "-1" };

/** Looks for the person in every other text that an organization stores, table by table, and erases what mentions them. */
export async function eraseTexts(erasure: Erasure): Promise<void> {
  for (const table of searchedTables) await eraseInTable(erasure, table);
}

async function eraseInTable(erasure: Erasure, table: SearchedTable): Promise<void> {
  const { pool, person } = erasure;
  const statement = pageStatement(table);
  for (let after: string[] = table.key.map(({ type }) => lowest[type]); ;) {
    const { rows } = await pool.query<[mayMention: boolean, ...key: string[]]>({
      text: statement,
      values: [person.organizationId, ...after, rowsPerPage, ...searchedFor(person)],
      rowMode: "array",
    });
    for (const [mayMention, ...key] of rows) if (mayMention) await eraseInRow(erasure, table, key);
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsPerPage) return;
    after = last.slice(1) as string[];
  }
}

/**
 * The database tells which rows may mention the person, so that others are not read: by what every spelling of an address and
 * of a number has in common. What is escaped, as in JSON and in the addresses of pages, may be anything.
 */
function pageStatement({ table, key, columns }: SearchedTable): string {
  const names = key.map(({ name }) => name);
  const after = key.map(({ type }, index) => `$${index + 2}::${type}`);
  const next = key.length + 2;
  const texts = columns.map(({ name }) => `${name}::text`);
  return `
    select (
      ($${next + 1}::text is not null and (
        position($${next + 1} in ${emailSkeletonOf("page.texts")}) > 0
        or position(chr(92) || 'u' in page.texts) > 0 or page.texts ~ '%[0-9a-fA-F]{2}'))
      or ($${next + 2}::text is not null
        and position($${next + 2} in ${phoneDigitsOf("page.texts")}) > 0)
    ), ${names.map((name) => `page.${name}::text`).join(", ")}
    from (
      select ${names.join(", ")}, concat_ws(' ', ${texts.join(", ")}) as texts from ${table}
      where organization_id = $1 and (${names.join(", ")}) > (${after.join(", ")})
      order by ${names.join(", ")} limit $${next}
    ) as page
    order by ${names.map((name) => `page.${name}`).join(", ")}`;
}

/** Of a number its end, which it has in national spelling too. */
const comparedDigits = 7;

function searchedFor({ email, phone }: Person): (string | null)[] {
  return [email === undefined ? null : emailSkeleton(email), phone?.slice(-comparedDigits) ?? null];
}

type Row = Record<string, string | null>;

async function eraseInRow(
  { pool, person }: Erasure,
  { table, key, columns }: SearchedTable,
  values: readonly string[],
): Promise<void> {
  const here = `organization_id = $1 and ${key.map(({ name, type }, index) => `${name} = $${index + 2}::${type}`).join(" and ")}`;
  const texts = columns.map(({ name }) => `${name}::text as ${name}`);
  const read = `select ${texts.join(", ")} from ${table} where ${here}`;
  const parameters = [person.organizationId, ...values];
  const { rows } = await pool.query<Row>(read, parameters);
  if (changesIn(person, columns, rows[0]).length === 0) return;
  await transaction(pool, async (client) => {
    const { rows: held } = await client.query<Row>(`${read} for update`, parameters);
    const changes = changesIn(person, columns, held[0]);
    if (changes.length === 0) return;
    const sets = changes.map(
      ({ name, type }, index) => `${name} = $${parameters.length + index + 1}::${type}`,
    );
    await client.query(`update ${table} set ${sets.join(", ")} where ${here}`, [
      ...parameters,
      ...changes.map(({ value }) => value),
    ]);
  });
}

interface Change {
  name: string;
  type: "text" | "json";
  value: string | null;
}

function changesIn(person: Person, columns: SearchedTable["columns"], row: Row | undefined): Change[] {
  return columns.flatMap(({ name, kind }): Change[] => {
    const text = row?.[name] ?? null;
    if (text === null) return [];
    if (kind === "json") {
      const value = replaceTexts(text, (each) => mentions(person, each));
      return value === text ? [] : [{ name, type: "json", value }];
    }
    if (!mentionsInText(person, text)) return [];
    return [{ name, type: "text", value: kind === "name" ? erasedText : null }];
  });
}
