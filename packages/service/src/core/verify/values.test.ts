import { beforeAll, expect, test } from "vitest";
import { fillOrganization } from "../../../testing/filled-organization.js";
import { useApp } from "../../../testing/harness.js";
import type { Field, Section } from "../stored-tables/section.js";
import { sections } from "../../../testing/sections.js";
import { valueChecks } from "./values.js";

const app = useApp();
let organizationId: string;

beforeAll(async () => {
  ({ organizationId } = await fillOrganization(app));
});

interface ColumnRow {
  table_name: string;
  column_name: string;
  is_nullable: "YES" | "NO";
  data_type: string;
}

async function readColumns(): Promise<Map<string, ColumnRow>> {
  const { rows } = await app.database.work.query<ColumnRow>(
    "select table_name, column_name, is_nullable, data_type from information_schema.columns where table_schema = 'public'",
  );
  return new Map(rows.map((row) => [`${row.table_name}.${row.column_name}`, row]));
}

test("a column of an export may be null where its domain says so", async () => {
  const columns = await readColumns();
  const differing = sections.flatMap(({ table, fields }) =>
    fields
      .filter(({ column, isNullable }) => {
        const stored = columns.get(`${table}.${column}`);
        return stored === undefined || (stored.is_nullable === "YES") !== isNullable;
      })
      .map(({ column }) => `${table}.${column}`),
  );
  expect(differing).toEqual([]);
});

/** Values that the type of a column accepts and its domain does not, as SQL. */
function wrongValue({ kind }: Field, type: string): string {
  switch (kind) {
    case "uuid":
      return "'0190a0b0-0000-4000-8000-00000000abcd'";
    case "text":
      return "repeat('x', 70000)";
    case "integer":
      return type === "smallint" ? "-32000" : "-100000";
    case "decimal":
      return "1e15";
    case "flag":
      return "true";
    case "moment":
      return "'infinity'";
    case "date":
      return "'30000-01-01'";
    case "json":
      return "'[7]'";
    case "bytes":
      return "decode('00', 'hex')";
  }
}

test("verify names every stored value outside of its domain, with row and field", async () => {
  const columns = await readColumns();
  const unnoticed: string[] = [];
  for (const [index, section] of sections.entries())
    for (const field of section.fields) {
      if (field.isGuarded || section.key.some(({ name }) => name === field.column)) continue;
      const { data_type: type } = columns.get(`${section.table}.${field.column}`) as ColumnRow;
      const found = await findingAfter(section, index, field, wrongValue(field, type));
      if (found === undefined) unnoticed.push(`${section.kind}.${field.name}`);
      else {
        expect(found).toMatch(/^[0-9a-f-]{36}/);
        expect(found).toContain(`: ${field.name} `);
      }
    }
  // The API accepts any year.
  expect(unnoticed).toEqual(["vehicle.year"]);
});

/**
 * The example that the check reports after one row was changed. A rejection by the database is equally good;
 * it is shown as "refused".
 */
async function findingAfter(
  { table, key }: Section,
  index: number,
  { column, name }: Field,
  sql: string,
): Promise<string | undefined> {
  const client = await app.database.work.connect();
  try {
    await client.query("begin");
    const keys = key.map((each) => each.name).join(", ");
    await client.query(
      `update ${table} set ${column} = ${sql} where organization_id = $1 and (${keys}) in (
         select ${keys} from ${table} where organization_id = $1 limit 1)`,
      [organizationId],
    );
    const finding = await valueChecks(sections)[index]?.run(client, organizationId);
    return finding?.violations === 1 ? finding.examples[0] : undefined;
  } catch (error) {
    const isConstraint = (error as { code?: string }).code === "23514";
    if (!isConstraint) throw error;
    return `0190a0b0-0000-7000-8000-00000000abcd: ${name} is refused by the database`;
  } finally {
    await client.query("rollback");
    client.release();
  }
}
