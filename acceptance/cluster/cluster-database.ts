import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "vitest";
import { gatehouse, type CommandOptions, type CommandResult } from "../command.js";
import type { FleetDatabase } from "../rigs/database.js";
import { startProxy, type Proxy } from "../rigs/proxy.js";
import { readNodes, type ClusterNode } from "../../testing/cluster-nodes.js";
import { until } from "../running-service.js";
import { ask, killNode, startNode } from "./nodes.js";

/** A separate database on every node of the cluster. Killing its server kills the first node. */
export interface ClusterDatabase extends FleetDatabase {
  workers: Worker[];
  /** The worker that stores the rows of an organization. */
  workerOf(organizationUuid: string): Promise<Worker>;
}

export interface Worker {
  node: ClusterNode;
  /** Between the nodes: the cluster connects to this worker through the proxy's port. */
  proxy: Proxy;
}

/** Few shards, so that moving all of them takes seconds. */
const shards = 8;

/** Known to the cluster and empty: nothing is migrated or distributed. */
export async function makeClusterDatabase(): Promise<ClusterDatabase> {
  const nodes = await readNodes();
  const name = `gatehouse_rig_${randomUUID().replaceAll("-", "")}`;
  const [first, ...others] = nodes as [ClusterNode, ...ClusterNode[]];
  for (const { address } of nodes) {
    await ask(address, `create database ${name}`);
    await ask(inDatabase(address, name), "create extension citus");
  }
  const connectionString = inDatabase(first.address, name);
  const { hostname, port } = new URL(first.address);
  await ask(connectionString, "select citus_set_coordinator_host($1, $2)", [hostname, Number(port)]);
  await ask(connectionString, `alter database ${name} set citus.shard_count = ${shards}`);
  const workers: Worker[] = [];
  for (const node of others) {
    const proxy = await startProxy(() => Number(new URL(node.address).port));
    await ask(connectionString, "select citus_add_node('127.0.0.1', $1)", [proxy.port]);
    workers.push({ node, proxy });
  }
  return {
    connectionString,
    workers,
    query: (statement, values) => ask(connectionString, statement, values),
    crash: () => killNode(first),
    start: () => startNode(first),
    async workerOf(organizationUuid) {
      const [shard] = await ask(
        connectionString,
        `select nodeport as port from citus_shards
         where shardid = get_shard_id_for_distribution_column('import_turns', $1::uuid)`,
        [organizationUuid],
      );
      return workers.find(({ proxy }) => proxy.port === shard.port) as Worker;
    },
    async leave() {
      for (const { address } of nodes)
        // Citus cleans up after moves and commits in the background, and keeps the database in use until
        // then.
        await until(() =>
          ask(address, `drop database if exists ${name} with (force)`).then(
            () => true,
            () => false,
          ),
        );
      for (const { proxy } of workers) await proxy.close();
    },
  };
}

/** Migrated and distributed by commands, as an operator does; by default with this build. */
export async function distributedDatabase(program?: string): Promise<ClusterDatabase> {
  const database = await makeClusterDatabase();
  for (const word of ["migrate", "distribute"])
    await runCommand(database, [word], program === undefined ? {} : { program });
  return database;
}

/** A command that must succeed; by default of this build. */
export async function runCommand(
  { connectionString }: FleetDatabase,
  words: string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  const folder = await mkdtemp(path.join(tmpdir(), "gatehouse-rig-"));
  try {
    const variables = { DATABASE_URL: connectionString, GATEHOUSE_DATA_DIR: folder };
    const result = await gatehouse([...words, "--json"], variables, options);
    expect(result.exitCode, result.stderr).toBe(0);
    return result;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function inDatabase(address: string, name: string): string {
  const url = new URL(address);
  url.pathname = `/${name}`;
  return url.href;
}
