import type pg from "pg";
import { planDistribution, type CitusTable } from "./plan.js";
import { anchorTable, tableKinds } from "../../core/database/table-kinds.js";

/** A reference table has copies that are written together ('t'), a local one in Citus' care has a single one. */
export async function readCitusTables(client: pg.Client): Promise<CitusTable[]> {
  const { rows } = await client.query<CitusTable>(
    `select class.relname as "table", citus.colocationid::int as "colocationId",
            case when citus.partmethod <> 'n' then 'distributed' when citus.repmodel = 't' then 'reference' else 'local' end as kind,
            case when citus.partmethod <> 'n' then column_to_column_name(citus.logicalrelid, citus.partkey) end as "column"
     from pg_dist_partition as citus
     join pg_class as class on class.oid = citus.logicalrelid
     where class.relnamespace = current_schema()::regnamespace`,
  );
  return rows;
}

/** The tables of a distributed database that `gatehouse distribute` still has to distribute; none where it never ran. */
export async function undistributedTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ found: boolean }>(
    "select exists (select from pg_extension where extname = 'citus') as found",
  );
  if (!rows[0]?.found) return [];
  const known = await readCitusTables(client);
  if (!known.some(({ table }) => table === anchorTable)) return [];
  return planDistribution(tableKinds, known)
    .filter(({ statement }) => statement !== undefined)
    .map(({ table }) => table);
}
