import { expect, test } from "vitest";
import { useDatabase } from "../../../testing/harness.js";
import { anchorTable, kindName, tableKinds, tablesOfKind } from "./table-kinds.js";
import { planDistribution, type CitusTable } from "../../features/cluster/plan.js";

/** Compares the real schema with what Citus requires of each kind of table. */
const file = useDatabase();
const distributed = tablesOfKind("distributed");

async function rows<Row>(statement: string, values: unknown[] = []): Promise<Row[]> {
  return (await file.database.work.query(statement, values)).rows as Row[];
}

test("every table is declared, and every declared table exists", async () => {
  const tables = await rows<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'f', 'v', 'm')",
  );
  expect(tables.map(({ name }) => name).toSorted()).toEqual(Object.keys(tableKinds).toSorted());
  expect(distributed).toContain(anchorTable);
});

test("the distribution column comes first in a distributed table, is never null and is always a uuid", async () => {
  const columns = await rows<{ table: string; column: string; type: string; required: boolean }>(
    `select attrelid::regclass::text as "table", attname as column, atttypid::regtype::text as type, attnotnull as required
     from pg_attribute where attnum = 1 and attrelid = any ($1::text[]::regclass[]) order by 1`,
    [distributed],
  );
  expect(columns).toEqual(
    distributed.toSorted().map((table) => {
      const kind = tableKinds[table] as { distributedBy: string };
      return { table, column: kind.distributedBy, type: "uuid", required: true };
    }),
  );
});

interface UniqueIndex {
  table: string;
  index: string;
  columns: string[];
}

const uniqueIndexes = `
  select index.indrelid::regclass::text as "table", index.indexrelid::regclass::text as index,
         array(select attname::text from pg_attribute where attrelid = index.indrelid and attnum = any (index.indkey)) as columns
  from pg_index as index
  where index.indrelid = any ($1::text[]::regclass[]) and (index.indisunique or index.indisexclusion)`;

function withoutOrganization(indexes: readonly UniqueIndex[]): string[] {
  return indexes
    .filter(
      ({ table, columns }) =>
        !columns.includes((tableKinds[table] as { distributedBy: string }).distributedBy),
    )
    .map(({ index }) => index);
}

test("every unique or primary key of a distributed table contains the organization", async () => {
  const indexes = await rows<UniqueIndex>(uniqueIndexes, [distributed]);
  expect(new Set(indexes.map(({ table }) => table))).toEqual(new Set(distributed));
  expect(withoutOrganization(indexes)).toEqual([]);

  await file.database.work.query("create unique index planted on contacts (email_key)");
  const planted = withoutOrganization(await rows<UniqueIndex>(uniqueIndexes, [distributed]));
  await file.database.work.query("drop index planted");
  expect(planted).toEqual(["planted"]);
});

const foreignKeys = `
  select conname as name, conrelid::regclass::text as "from", confrelid::regclass::text as "to"
  from pg_constraint where contype = 'f'`;

/** Citus would allow a foreign key between co-located tables, but only if the target is distributed first. */
async function crossingKeys(): Promise<string[]> {
  const keys = await rows<{ name: string; from: string; to: string }>(foreignKeys);
  return keys
    .filter(({ from, to }) => [from, to].some((table) => kindName(tableKinds[table] ?? "local") !== "local"))
    .map(({ name }) => name);
}

test("foreign keys only connect local tables", async () => {
  expect((await rows(foreignKeys)).length).toBeGreaterThan(0);
  expect(await crossingKeys()).toEqual([]);

  const { work } = file.database;
  await work.query(
    "alter table locations add constraint planted foreign key (organization_id) references organizations",
  );
  const planted = await crossingKeys();
  await work.query("alter table locations drop constraint planted");
  expect(planted).toEqual(["planted"]);
});

test("distributed tables have nothing that Citus rejects: triggers, rules, sequences, row security, inheritance", async () => {
  const found = await rows(
    `select tgrelid::regclass::text as place, tgname::text as what from pg_trigger where not tgisinternal and tgrelid = any ($1::text[]::regclass[])
     union all
     select ev_class::regclass::text, rulename::text from pg_rewrite where ev_class = any ($1::text[]::regclass[])
     union all
     select oid::regclass::text, 'sequence' from pg_class where relkind = 'S' and relnamespace = 'public'::regnamespace
     union all
     select oid::regclass::text, 'row security' from pg_class where relrowsecurity and relnamespace = 'public'::regnamespace
     union all
     select inhrelid::regclass::text, 'inheritance' from pg_inherits where inhparent = any ($1::text[]::regclass[])`,
    [distributed],
  );
  expect(found).toEqual([]);
});

const done = (table: string, change: Partial<CitusTable> = {}): CitusTable => ({
  table,
  kind: "distributed",
  column: "organization_id",
  colocationId: 7,
  ...change,
});

test("a plain database is distributed table by table, co-located with the first", () => {
  const statements = planDistribution(tableKinds, []).flatMap(({ statement }) => statement ?? []);
  expect(statements[0]).toBe(
    "select create_distributed_table('import_turns', 'organization_id', colocate_with => 'none')",
  );
  expect(statements).toHaveLength(distributed.length);
  for (const table of distributed.filter((name) => name !== anchorTable))
    expect(statements).toContain(
      `select create_distributed_table('${table}', 'organization_id', colocate_with => 'import_turns')`,
    );
});

test("distributed tables are skipped, and new ones are distributed", () => {
  const all = distributed.map((table) => done(table));
  expect(planDistribution(tableKinds, all).filter(({ statement }) => statement)).toEqual([]);
  const later = planDistribution(
    tableKinds,
    all.filter(({ table }) => table !== "leads"),
  );
  expect(later.filter(({ statement }) => statement).map(({ table }) => table)).toEqual(["leads"]);
});

test("a reference table is converted once", () => {
  const declared = { ...tableKinds, currencies: "reference" as const };
  const all = distributed.map((table) => done(table));
  const step = planDistribution(declared, all).find(({ table }) => table === "currencies");
  expect(step?.statement).toBe("select create_reference_table('currencies')");
  const reference: CitusTable = { table: "currencies", kind: "reference", column: null, colocationId: 8 };
  expect(planDistribution(declared, [...all, reference]).filter(({ statement }) => statement)).toEqual([]);
});

test.each([
  [
    "by another column",
    done("leads", { column: "id" }),
    /leads is distributed by id.*should be distributed by organ/,
  ],
  [
    "somewhere else",
    done("leads", { colocationId: 9 }),
    /co-location group 9.*co-located with import_turns.*undistribute_table\('leads'\)/,
  ],
  ["as a reference table", done("leads", { kind: "reference", column: null }), /leads is a reference table/],
  [
    "though it is local",
    done("rate_limits", { kind: "local", column: null }),
    /rate_limits is a local table in Citus.*must not manage a local table.*use_citus_managed_tables/,
  ],
])("a table that was distributed %s is rejected", (_how, wrong, message) => {
  expect(() => planDistribution(tableKinds, [done(anchorTable), wrong])).toThrow(message);
});
