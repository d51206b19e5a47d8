import { idKey, type KeyColumn } from "../stored-tables/section.js";
import { addFindings, maxExamples, nothingFound, type Check, type Finding } from "./check.js";
import { lowestUuid } from "../uuidv7.js";

/** Tables are read in batches by primary key, so that no statement or result grows with the table. */
const batchRows = 20_000;

/** Sorts below all stored values. */
const lowest = { uuid: lowestUuid, integer: "-1", bigint: "-1" };

export interface BatchSource {
  table: string;
  key?: readonly KeyColumn[];
  columns: string[];
}

/** A check in SQL. `wrong` continues "select ... from batch" and selects the invalid rows; $1 is the organization. */
export function batchCheck(name: string, source: BatchSource, wrong: string): Check {
  const key = source.key ?? idKey;
  const last = key.map((column) => `batch.${column.name}`);
  const statement = `
    with ${batchOf(source)}, wrong as (
      select ${last.join(" || ' ' || ")}::text as example from batch ${wrong}
    )
    select (select count(*)::float8 from batch) as read,
           (select count(*)::float8 from wrong) as violations,
           array(select example from wrong limit ${maxExamples}) as examples,
           array(select unnest(array[${last.map((column) => `${column}::text`).join(", ")}])
                 from (select * from batch order by ${last.map((column) => `${column} desc`).join(", ")} limit 1) as batch
           ) as last`;
  return {
    name,
    of: { table: source.table, ...(source.columns.length === 1 && { column: source.columns[0] as string }) },
    run: async (client, organizationId) => {
      let total = nothingFound;
      for (let after = beforeAll(key); ;) {
        const { rows } = await client.query<Finding & { last: string[] }>(statement, [
          organizationId,
          ...after,
        ]);
        const { last: reached, ...finding } = rows[0] as Finding & { last: string[] };
        total = addFindings(total, finding);
        if (finding.read < batchRows) return total;
        after = reached;
      }
    },
  };
}

/** A check in code. The examples are ids. */
export function rowCheck<Row extends { id: string }>(
  name: string,
  source: BatchSource,
  isValid: (row: Row) => boolean,
): Check {
  const statement = `with ${batchOf(source)} select * from batch`;
  return {
    name,
    of: { table: source.table },
    run: async (client, organizationId) => {
      let total = nothingFound;
      for (let after = beforeAll(idKey); ;) {
        const { rows } = await client.query<Row>(statement, [organizationId, ...after]);
        const wrong = rows.filter((row) => !isValid(row)).map((row) => row.id);
        total = addFindings(total, {
          read: rows.length,
          violations: wrong.length,
          examples: wrong.slice(0, maxExamples),
        });
        const last = rows.at(-1);
        if (!last || rows.length < batchRows) return total;
        after = [last.id];
      }
    },
  };
}

function batchOf({ table, key = idKey, columns }: BatchSource): string {
  const names = key.map((column) => column.name);
  const parameters = key.map((column, index) => `$${index + 2}::${column.type}`);
  return `batch as materialized (
    select ${[...names, ...columns].join(", ")} from ${table}
    where organization_id = $1 and (${names.join(", ")}) > (${parameters.join(", ")})
    order by ${names.join(", ")} limit ${batchRows}
  )`;
}

function beforeAll(key: readonly KeyColumn[]): string[] {
  return key.map(({ type }) => lowest[type]);
}
