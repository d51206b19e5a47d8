import { phoneDigitsOf } from "../../core/database/sql.js";
import { transaction } from "../../core/database/transaction.js";
import { lowestUuid } from "../../core/uuidv7.js";
import type { Erasure } from "./erase-records.js";
import { addToCount } from "./erasure-state.js";
import { erasedText, replaceTexts } from "./json-texts.js";
import { commonDigits, emailSkeleton, emailSkeletonOf, mentions, mentionsInText } from "./mentions.js";
import { searchedTables, type SearchedTable, type TextRow } from "./personal-data.js";
import type { Person } from "./person.js";

/** Small pages keep memory low and let other statements run in between. */
const maxRowsPerPage = 100;
const lowest = { uuid: lowestUuid, integer: "-1", bigint: "-1" };

/** Searches every text that the organization stores, table by table, and erases what mentions the person. */
export async function eraseTexts(erasure: Erasure): Promise<void> {
  for (const table of searchedTables) await eraseInTable(erasure, table);
}

async function eraseInTable(erasure: Erasure, table: SearchedTable): Promise<void> {
  const { pool, person } = erasure;
  const { key, rowsPerPage = maxRowsPerPage } = table;
  const limit = Math.min(rowsPerPage, erasure.rowsPerStep);
  const statement = pageStatement(table);
  const searched = [
    person.email === undefined ? null : emailSkeleton(person.email),
    person.phone === undefined ? null : commonDigits(person.phone),
  ];
  for (let after = key.map(({ type }) => lowest[type]); ;) {
    const { rows } = await pool.query<TextRow>(statement, [
      person.organizationId,
      ...searched,
      limit,
      ...after,
    ]);
    for (const row of rows)
      if (changesIn(person, table, row).length > 0) await eraseInRow(erasure, table, row);
    const last = rows.at(-1);
    if (last === undefined || rows.length < limit) return;
    after = key.map(({ name }) => last[name] as string);
  }
}

/**
 * A page of rows. The columns of rows that cannot mention the person are null, so that they are not transferred. SQL looks for
 * what all spellings of the address and the number have in common. A text with backslashes or percent signs may be encoded.
 */
function pageStatement({ table, key, columns, locksRows, readsAll }: SearchedTable): string {
  const keys = key.map(({ name }) => name);
  const order = (row: string) => keys.map((name) => `${row}${name}`).join(", ");
  const after = key.map(({ type }, index) => `$${index + 5}::${type}`);
  const mayMention = `
    ($2::text is not null and (
      position($2 in ${emailSkeletonOf("page.texts")}) > 0
      or position(chr(92) in page.texts) > 0 or page.texts ~ '%[0-9a-fA-F]{2}'))
    or ($3::text is not null and position($3 in ${phoneDigitsOf("page.texts")}) > 0)`;
  return `
    select ${keys.map((name) => `page.${name}::text`).join(", ")},
           ${columns.map(({ name }) => `case when state.is_read then page.text_of_${name} end as ${name}`).join(", ")}
    from (
      select ${keys.join(", ")}, ${columns.map(({ name }) => `${name}::text as text_of_${name}`).join(", ")},
             concat_ws(' ', ${columns.map(({ name }) => `${name}::text`).join(", ")}) as texts
      from ${table} where organization_id = $1 and (${order("")}) > (${after.join(", ")})
      order by ${order("")} limit $4 ${locksRows ? "for update" : ""}
    ) as page
    cross join lateral (select ${readsAll ? "true or " : ""}${mayMention} as is_read) as state
    order by ${order("page.")}`;
}

/** Reads the row again under its lock, erases, and counts, in one transaction. */
async function eraseInRow({ pool, person }: Erasure, table: SearchedTable, found: TextRow): Promise<void> {
  const { key, columns, counted } = table;
  const where = `organization_id = $1 and ${key.map(({ name, type }, index) => `${name} = $${index + 2}::${type}`).join(" and ")}`;
  const values = [person.organizationId, ...key.map(({ name }) => found[name])];
  const texts = [...key, ...columns].map(({ name }) => `${name}::text as ${name}`);
  await transaction(pool, async (client) => {
    const { rows } = await client.query<TextRow>(
      `select ${texts.join(", ")} from ${table.table} where ${where} for update`,
      values,
    );
    const [row] = rows;
    const changes = row ? changesIn(person, table, row) : [];
    if (changes.length === 0) return;
    if (table.deletesRow) await client.query(`delete from ${table.table} where ${where}`, values);
    else {
      const sets = changes.map(({ name }, index) => `${name} = $${values.length + index + 1}`);
      if (table.alsoSet) sets.push(table.alsoSet);
      await client.query(`update ${table.table} set ${sets.join(", ")} where ${where}`, [
        ...values,
        ...changes.map(({ after }) => after),
      ]);
    }
    const change = changes.find(({ name }) => name === counted?.column);
    if (counted && change)
      await addToCount(client, person, counted.as, counted.count?.(change.before, change.after) ?? 1);
  });
}

interface Change {
  name: string;
  before: string;
  after: string | null;
}

function changesIn(person: Person, { columns }: SearchedTable, row: TextRow): Change[] {
  return columns.flatMap(({ name, rule }): Change[] => {
    const before = row[name] ?? null;
    if (before === null) return [];
    const after = erase(person, rule, before, row);
    return after === before ? [] : [{ name, before, after }];
  });
}

function erase(
  person: Person,
  rule: SearchedTable["columns"][number]["rule"],
  text: string,
  row: TextRow,
): string | null {
  if (typeof rule === "function") return rule(person, text, row);
  if (rule === "json") return replaceTexts(text, (each) => mentions(person, each));
  if (!mentionsInText(person, text)) return text;
  return rule === "name" ? erasedText : null;
}
