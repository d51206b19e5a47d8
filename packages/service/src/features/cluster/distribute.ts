import type pg from "pg";
import { tableKinds, anchorTable } from "../../core/database/table-kinds.js";
import { planDistribution, type DistributionStep, type CitusTable } from "./plan.js";
import { isolation } from "../../core/database/pooler-client.js";
import type { DatabaseNotice } from "../../core/database/schema/migrate.js";
import { OperatorError } from "../../core/operator-error.js";
import { holdingSchemaLock } from "../../core/database/schema/schema-lock.js";
import { schemaRefusal, schemaState } from "../../core/database/schema/schema-state.js";

export interface DistributionReport {
  citusVersion: string;
  /** The number of nodes that hold shards. */
  nodes: number;
  /** Recommended changes to settings. */
  advice: string[];
  tables: { table: string; kind: DistributionStep["kind"]; changed: boolean }[];
}

const unknownTables =
  "The database was migrated by a newer release, and this release does not know how to distribute its tables. Run the command of that release.";

export async function distribute(
  connectionString: string,
  onStep: (text: string) => void = () => undefined,
): Promise<DistributionReport> {
  // The lock excludes migrations and other distributions.
  return holdingSchemaLock(connectionString, "gatehouse distribute", async (client) => {
    const state = await schemaState(client);
    if (state.is !== "current") throw new OperatorError(schemaRefusal(state) ?? unknownTables);
    const citusVersion = await requireCitus(client);
    await requireNodes(client);

    const steps = planDistribution(tableKinds, await readCitusTables(client));
    await takeSteps(client, steps, onStep);
    await removeLeftovers(client, steps, onStep);
    const advice = await slowRecovery(client);
    return {
      citusVersion,
      advice: advice === undefined ? [] : [advice],
      nodes: (await countNodes(client)).holdingShards,
      tables: steps.map(({ table, kind, statement }) => ({ table, kind, changed: statement !== undefined })),
    };
  });
}

async function requireCitus(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ available: boolean; version: string | null }>(
    `select exists (select from pg_available_extensions where name = 'citus') as available,
            (select extversion from pg_extension where extname = 'citus') as version`,
  );
  const { available, version } = rows[0] as { available: boolean; version: string | null };
  if (version !== null) return version;
  throw new OperatorError(
    available
      ? "The Citus extension is installed on the database server but was not created in this database. Connect to this database on every node as a superuser and run: create extension citus;"
      : "The database server does not have the Citus extension, which is required to distribute a database. Install it on every node, add it to shared_preload_libraries, and create it in this database. If you stay on one machine, docs/explanation/scaling.md describes its limits.",
  );
}

/** Without any node, Citus would add this one as "localhost" and then reject every node that is added later. */
async function requireNodes(client: pg.Client): Promise<void> {
  const { known, holdingShards } = await countNodes(client);
  if (known === 0)
    throw new OperatorError(
      "Citus does not have any nodes yet. Set the address at which the workers reach the first node: select citus_set_coordinator_host('HOST', 5432); then add each worker: select citus_add_node('HOST', 5432);",
    );
  if (holdingShards === 0)
    throw new OperatorError(
      "No node of the cluster may hold shards. Add a worker: select citus_add_node('HOST', 5432); or let the first node hold shards: select citus_set_node_property('HOST', 5432, 'shouldhaveshards', true);",
    );
}

async function countNodes(client: pg.Client): Promise<{ known: number; holdingShards: number }> {
  const { rows } = await client.query<{ known: number; holdingShards: number }>(
    `select count(*)::int as known, (count(*) filter (where isactive and shouldhaveshards))::int as "holdingShards"
     from pg_dist_node where noderole = 'primary'`,
  );
  return rows[0] as { known: number; holdingShards: number };
}

async function takeSteps(
  client: pg.Client,
  steps: readonly DistributionStep[],
  onStep: (text: string) => void,
): Promise<void> {
  await client.query(`begin isolation level ${isolation}`);
  // One connection per node, so that each step sees the changes of the previous one.
  await client.query("set local citus.multi_shard_modify_mode = 'sequential'");
  // Row locks do not work on replicated shards. Use streaming replication for redundancy.
  await client.query("set local citus.shard_replication_factor = 1");
  for (const { table, kind, statement } of steps) {
    if (statement === undefined) continue;
    onStep(`${table}: converting to ${kind}`);
    await client.query(statement);
  }
  await client.query("commit");
}

/** The rows that were copied to the shards remain in the table on the first node, where queries do not see them. */
async function removeLeftovers(
  client: pg.Client,
  steps: readonly DistributionStep[],
  onStep: (text: string) => void,
): Promise<void> {
  for (const { table, kind } of steps) {
    if (kind !== "distributed") continue;
    const { rows } = await client.query<{ bytes: number }>(
      "select pg_relation_size($1::regclass)::float8 as bytes",
      [table],
    );
    if (rows[0]?.bytes === 0) continue;
    onStep(`${table}: deleting the rows that were copied to the shards`);
    await client.query("select truncate_local_data_after_distributing_table($1::regclass)", [table]);
  }
}

/** repmodel is 't' for a reference table, which is replicated to all nodes. */
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

/** The tables of a distributed database that `gatehouse distribute` has not distributed yet. Empty if it never ran. */
async function undistributedTables(client: pg.Client): Promise<string[]> {
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

/** With a longer interval, a lost connection delays clients for longer than most of them wait. */
const longestSeconds = 2;

/**
 * Citus commits every COPY in two phases. If the first node loses a worker between the phases, the import is
 * answered, but it cannot be read, and the organization's next import waits until Citus recovers the
 * transaction. Citus does that at this interval, by default once a minute. Undefined if the interval is short
 * enough or Citus is not installed.
 */
export async function slowRecovery(client: pg.ClientBase): Promise<string | undefined> {
  const { rows } = await client.query<{ seconds: number | null }>(
    `select extract(epoch from current_setting('citus.recover_2pc_interval', true)::interval)::float8 as seconds`,
  );
  const seconds = rows[0]?.seconds ?? 0;
  // -1 disables the recovery.
  if (seconds >= 0 && seconds <= longestSeconds) return undefined;
  return "If a connection breaks while an import commits, the organization's imports wait until Citus recovers the transaction, and the current setting makes Citus do that rarely. Run on the first node: alter system set citus.recover_2pc_interval = '2s'; select pg_reload_conf();";
}

/** Runs after every migration. */
export async function checkCluster(client: pg.Client): Promise<DatabaseNotice[]> {
  const undistributed = await undistributedTables(client);
  const advice = await slowRecovery(client);
  const text = `Not distributed yet: ${undistributed.join(", ")}. Run: gatehouse distribute`;
  return [
    ...(undistributed.length > 0 ? [{ text, facts: { undistributed } }] : []),
    ...(advice === undefined ? [] : [{ text: advice }]),
  ];
}
