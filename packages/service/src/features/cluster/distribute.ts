import type pg from "pg";
import { tableKinds } from "../../core/database/table-kinds.js";
import { readCitusTables } from "./citus-tables.js";
import { planDistribution, type DistributionStep } from "./plan.js";
import { slowRecovery } from "./two-phase-recovery.js";
import { isolation } from "../../core/database/session-settings.js";
import { SchemaError } from "../../core/database/schema/schema-error.js";
import { holdingSchemaLock } from "../../core/database/schema/schema-lock.js";
import { schemaRefusal, schemaState } from "../../core/database/schema/schema-state.js";

/**
 * Turns a migrated database with the Citus extension into one that is distributed by organization: all tables in one
 * transaction, so that a failure leaves everything as it was. What was done before is left alone, so it can be run
 * again at any time, and must be after a migration that adds a table.
 */
export interface DistributionReport {
  citusVersion: string;
  /** How many nodes hold shards. */
  nodes: number;
  /** What should be set otherwise. */
  advice: string[];
  tables: { table: string; kind: DistributionStep["kind"]; changed: boolean }[];
}

const unknownTables =
  "The database was migrated by a newer release, and this one does not know where its tables belong. Use that release's command.";

export async function distribute(
  connectionString: string,
  onStep: (text: string) => void = () => undefined,
): Promise<DistributionReport> {
  // Neither beside a migration nor beside another distribution.
  return holdingSchemaLock(connectionString, "gatehouse distribute", async (client) => {
    const state = await schemaState(client);
    if (state.is !== "current") throw new SchemaError(schemaRefusal(state) ?? unknownTables);
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
  throw new SchemaError(
    available
      ? "The Citus extension is installed on the database server, but not created in this database. Run there, as a superuser and on every node: create extension citus;"
      : "The database server has no Citus extension, and without it a database cannot be distributed. Install it on every node, name it in shared_preload_libraries, and create it in this database; or stay on one machine: docs/scaling.md says how far that goes.",
  );
}

/** If Citus knows of no node it takes this one as "localhost", and then refuses every node that is added later. */
async function requireNodes(client: pg.Client): Promise<void> {
  const { known, holdingShards } = await countNodes(client);
  if (known === 0)
    throw new SchemaError(
      "Citus knows of no node yet. Name the first one by the address at which the others reach it: select citus_set_coordinator_host('HOST', 5432); then add each worker: select citus_add_node('HOST', 5432);",
    );
  if (holdingShards === 0)
    throw new SchemaError(
      "No node of the cluster may hold shards. Add a worker: select citus_add_node('HOST', 5432); or let the first node hold them: select citus_set_node_property('HOST', 5432, 'shouldhaveshards', true);",
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
  // Several tables in one transaction: one connection a node, so that each step sees what the one before it did.
  await client.query("set local citus.multi_shard_modify_mode = 'sequential'");
  // Copies for safety are the business of streaming replication; a row lock on a shard with copies would not hold.
  await client.query("set local citus.shard_replication_factor = 1");
  for (const { table, kind, statement } of steps) {
    if (statement === undefined) continue;
    onStep(`${table}: making it ${kind}`);
    await client.query(statement);
  }
  // Without a commit, because of an error or a lost connection, nothing of it happens.
  await client.query("commit");
}

/** The rows that have moved to the shards are still there in the table on the first node, unseen. */
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
    onStep(`${table}: removing what has moved to the shards`);
    await client.query("select truncate_local_data_after_distributing_table($1::regclass)", [table]);
  }
}
