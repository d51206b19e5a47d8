import type pg from "pg";
import { boundOf, type Field, type KeyColumn, type Section } from "./section.js";
import { lowestUuid } from "../uuidv7.js";

/** The values of a key, as text. */
export type Key = readonly string[];

/** Larger pages block the event loop for milliseconds: with 500 rows, imports took twice as long during exports. */
const rowsPerPage = 100;
/** Ends a page early, because a row may be as large as a request. At most this and one row are in memory. */
const maxPageBytes = 256 * 1024;
const lowest = { uuid: lowestUuid, integer: "-1", bigint: "-1" };

export interface Page {
  /** Each with its newline. */
  lines: string[];
  /** The key of the last line. */
  last: Key | undefined;
}

interface Wanted {
  organizationId: string;
  after: Key | undefined;
}

/** The next lines of a section that belong to an export; none at the end. */
export function readPage(
  client: pg.ClientBase,
  section: Section,
  { atMost, bound, ...wanted }: Wanted & { bound: string; atMost: number },
): Promise<Page> {
  return read(client, section, wanted, [bound, Math.min(atMost, rowsPerPage)], {
    name: `export-${section.kind}`,
    text: pageStatement(section),
  });
}

/** The next lines of all rows of an organization, including those that are not exported. */
export function readStoredPage(client: pg.ClientBase, section: Section, wanted: Wanted): Promise<Page> {
  return read(client, section, wanted, [rowsPerPage], { text: storedPageStatement(section) });
}

async function read(
  client: pg.ClientBase,
  section: Section,
  { organizationId, after = section.key.map(({ type }) => lowest[type]) }: Wanted,
  values: readonly unknown[],
  statement: { name?: string; text: string },
): Promise<Page> {
  const { rows } = await client.query<[line: string, ...key: string[]]>({
    ...statement,
    values: [organizationId, ...after, ...values],
    rowMode: "array",
  });
  return { lines: rows.map(([line]) => asLine(line)), last: rows.at(-1)?.slice(1) };
}

/** Replaces line breaks of formatted metadata by spaces. Line breaks in JSON are never part of a value. */
function asLine(json: string): string {
  // Two searches are several times faster than a regular expression, and few lines have line breaks.
  const hasLineBreaks = json.includes("\n") || json.includes("\r");
  return `${hasLineBreaks ? json.replaceAll(/[\n\r]/g, " ") : json}\n`;
}

const statements = new Map<Section, string>();

function pageStatement(section: Section): string {
  let statement = statements.get(section);
  if (statement === undefined) {
    const [bound, limit] = [section.key.length + 2, section.key.length + 3];
    statement = writeStatement(section, { where: belongs(section, bound), limit });
    statements.set(section, statement);
  }
  return statement;
}

function storedPageStatement(section: Section): string {
  return writeStatement(section, { where: "stored.organization_id = $1", limit: section.key.length + 2 });
}

/** Measures large columns first, so that PostgreSQL builds only the lines that fit on the page. */
function writeStatement(section: Section, { where, limit }: { where: string; limit: number }): string {
  const { kind, table, fields } = section;
  const keys = section.key.map(({ name }) => name);
  const columns = [...new Set([...keys, ...fields.map(({ column }) => column)])];
  const size = [
    "1",
    ...fields.filter(mayBeLarge).map(({ column }) => `coalesce(octet_length(${column}::text), 0)`),
  ];
  const inLine = fields.map((field) => `${valueOf(field)} as "${field.name}"`);
  return `
    select row_to_json(line)::text, ${keys.map((name) => `stored.${name}::text`).join(", ")}
    from (
      select measured.*, sum(line_bytes) over (order by ${keys.join(", ")}) as bytes_so_far
      from (
        select ${columns.join(", ")}, ${size.join(" + ")} as line_bytes
        from ${table} as stored
        where ${where} and (${keys.join(", ")}) > (${afterParameters(section.key)})
        order by ${keys.join(", ")} limit $${limit}
      ) as measured
    ) as stored
    cross join lateral (select '${kind}' as kind, ${inLine.join(", ")}) as line
    where stored.bytes_so_far - stored.line_bytes < ${maxPageBytes}
    order by ${keys.map((name) => `stored.${name}`).join(", ")}`;
}

/** How many rows of a section belong to an export with this bound. */
export async function countRows(
  client: pg.ClientBase,
  section: Section,
  { organizationId, bound }: { organizationId: string; bound: string },
): Promise<number> {
  const { rows } = await client.query<{ rows: number }>(
    `select count(*)::float8 as rows from ${section.table} as stored where ${belongs(section, 2)}`,
    [organizationId, bound],
  );
  return rows[0]?.rows ?? 0;
}

export async function newestId(
  client: pg.ClientBase,
  { table }: Section,
  organizationId: string,
): Promise<string | undefined> {
  const { rows } = await client.query<{ id: string }>(
    `select id from ${table} where organization_id = $1 order by id desc limit 1`,
    [organizationId],
  );
  return rows[0]?.id;
}

/** $1 is the organization; `bound` is the number of the parameter with the newest id. */
function belongs(section: Section, bound: number): string {
  const only = section.only === undefined ? "" : ` and ${section.only}`;
  return `stored.organization_id = $1 and stored.${boundOf(section).column} <= $${bound}::uuid${only}`;
}

function afterParameters(key: readonly KeyColumn[]): string {
  return key.map(({ type }, index) => `$${index + 2}::${type}`).join(", ");
}

function mayBeLarge({ kind }: Field): boolean {
  return kind === "json" || kind === "text";
}

function valueOf({ column, kind }: Field): string {
  return kind === "bytes" ? `encode(stored.${column}, 'hex')` : `stored.${column}`;
}
