import { addFindings, maxExamples, nothingFound, type Check, type Finding } from "./check.js";

/**
 * Large tables are read in the order of their primary key, so many rows at a time: no statement and no answer grows
 * with the table, and each batch is looked at in one moment of the database.
 */
const batchRows = 20_000;

/** The columns of a primary key, each with a value below and one at the top of all that are stored. */
interface KeyColumn {
  name: string;
  type: "uuid" | "integer";
}
const lowest = { uuid: "00000000-0000-0000-0000-000000000000", integer: "-1" };
const highest = { uuid: "ffffffff-ffff-ffff-ffff-ffffffffffff", integer: "2147483647" };

const organizationColumn: KeyColumn = { name: "organization_id", type: "uuid" };
export const idKey: KeyColumn[] = [organizationColumn, { name: "id", type: "uuid" }];
export const exceptionKey: KeyColumn[] = [
  organizationColumn,
  { name: "run_id", type: "uuid" },
  { name: "position", type: "integer" },
];

export interface BatchSource {
  table: string;
  key?: KeyColumn[];
  columns: string[];
}

/** A check in SQL. `wrong` continues "select ... from batch": joins and the condition that picks what is wrong. */
export function batchCheck(name: string, source: BatchSource, wrong: string): Check {
  const key = source.key ?? idKey;
  const last = key.map((column) => `batch.${column.name}`);
  const statement = `
    with ${batchOf(source)}, wrong as (
      select ${last.slice(1).join(" || ' ' || ")}::text as example from batch ${wrong}
    )
    select (select count(*)::float8 from batch) as read,
           (select count(*)::float8 from wrong) as violations,
           array(select example from wrong limit ${maxExamples}) as examples,
           array(select unnest(array[${last.map((column) => `${column}::text`).join(", ")}])
                 from (select * from batch order by ${last.map((column) => `${column} desc`).join(", ")} limit 1) as batch
           ) as last`;
  return {
    name,
    run: async (client, organizationId) => {
      let total = nothingFound;
      for (let after = start(key, organizationId); ;) {
        const { rows } = await client.query<Finding & { last: string[] }>(statement, [
          ...after,
          ...end(key, organizationId),
        ]);
        const { last: reached, ...finding } = rows[0] as Finding & { last: string[] };
        total = addFindings(total, finding);
        if (finding.read < batchRows) return total;
        after = reached;
      }
    },
  };
}

/** A check in code: `isRight` judges every row. Ids name the examples. */
export function rowCheck<Row extends { id: string }>(
  name: string,
  source: BatchSource,
  isRight: (row: Row) => boolean,
): Check {
  const statement = `with ${batchOf(source)} select * from batch`;
  return {
    name,
    run: async (client, organizationId) => {
      let total = nothingFound;
      for (let after = start(idKey, organizationId); ;) {
        const { rows } = await client.query<Row & { organization_id: string }>(statement, [
          ...after,
          ...end(idKey, organizationId),
        ]);
        const wrong = rows.filter((row) => !isRight(row)).map((row) => row.id);
        total = addFindings(total, {
          read: rows.length,
          violations: wrong.length,
          examples: wrong.slice(0, maxExamples),
        });
        const last = rows.at(-1);
        if (!last || rows.length < batchRows) return total;
        after = [last.organization_id, last.id];
      }
    },
  };
}

function batchOf({ table, key = idKey, columns }: BatchSource): string {
  const names = key.map((column) => column.name);
  const parameters = (from: number) =>
    key.map((column, index) => `$${from + index}::${column.type}`).join(", ");
  return `batch as materialized (
    select ${[...names, ...columns].join(", ")} from ${table}
    where (${names.join(", ")}) > (${parameters(1)}) and (${names.join(", ")}) <= (${parameters(1 + key.length)})
    order by ${names.join(", ")} limit ${batchRows}
  )`;
}

function start(key: KeyColumn[], organizationId: string | undefined): string[] {
  return bounds(key, organizationId, lowest);
}

function end(key: KeyColumn[], organizationId: string | undefined): string[] {
  return bounds(key, organizationId, highest);
}

function bounds(key: KeyColumn[], organizationId: string | undefined, extreme: typeof lowest): string[] {
  return key.map(({ type }, index) => (index === 0 ? (organizationId ?? extreme.uuid) : extreme[type]));
}
