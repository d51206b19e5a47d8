import { expect, test } from "vitest";
import { useDatabase } from "../../../testing/harness.js";
import { anchorTable, kindName, tableKinds, tablesOfKind } from "./table-kinds.js";
import { planDistribution, type CitusTable } from "../../features/cluster/plan.js";

/** The schema as it really is, held against what Citus asks of tables of each kind. */
const file = useDatabase();
const distributed = tablesOfKind("distributed");

async function rows<Row>(statement: string, values: unknown[] = []): Promise<Row[]> {
  return (await file.database.work.query(statement, values)).rows as Row[];
}

test("every table has its declaration, and every declaration its table", async () => {
  const tables = await rows<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'f', 'v', 'm')",
  );
  expect(tables.map(({ name }) => name).toSorted()).toEqual(Object.keys(tableKinds).toSorted());
  expect(distributed).toContain(anchorTable);
});

test("a distributed table is led by the column that it is distributed by, which is never null and a uuid in all", async () => {
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

test("no unique or primary key of a distributed table lacks the organization", async () => {
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

/** A distributed table could point to another at the same place, but would then have to be distributed after it. */
async function crossingKeys(): Promise<string[]> {
  const keys = await rows<{ name: string; from: string; to: string }>(foreignKeys);
  return keys
    .filter(({ from, to }) => [from, to].some((table) => kindName(tableKinds[table] ?? "local") !== "local"))
    .map(({ name }) => name);
}

test("foreign keys lead from local tables to local tables and nowhere else", async () => {
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

test("distributed tables have nothing that Citus refuses: triggers, rules, sequences, row security, inheritance", async () => {
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

test("a plain database is distributed table by table, beside the first of them", () => {
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

test("what is done is not done again, and a table that came later is", () => {
  const all = distributed.map((table) => done(table));
  expect(planDistribution(tableKinds, all).filter(({ statement }) => statement)).toEqual([]);
  const later = planDistribution(
    tableKinds,
    all.filter(({ table }) => table !== "leads"),
  );
  expect(later.filter(({ statement }) => statement).map(({ table }) => table)).toEqual(["leads"]);
});

test("a reference table is made one, and left alone afterwards", () => {
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
])("a table that was distributed %s is refused", (_how, wrong, message) => {
  expect(() => planDistribution(tableKinds, [done(anchorTable), wrong])).toThrow(message);
});
