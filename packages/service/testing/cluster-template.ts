import { readNodes } from "../../../testing/cluster-nodes.js";
import { distribute } from "../src/features/cluster/distribute.js";
import { migrate } from "../src/core/database/schema/migrate.js";
import { dropDatabase, onServer, withDatabase } from "./database-server.js";

/** Few shards, so that cloning for a test file is fast. */
const shards = 4;

/**
 * A database on every node of the cluster, migrated and distributed. Copies of all of them under another name form a
 * separate cluster: nodes know each other by address, and connect to the database with their own database's name.
 */
export async function makeClusterTemplate(
  name: string,
): Promise<{ servers: string[]; drop: () => Promise<void> }> {
  const servers = (await readNodes()).map(({ address }) => address);
  const [first, ...workers] = servers as [string, ...string[]];
  const onAll = async (statement: string) => {
    for (const server of servers) await onServer(server, statement);
  };
  const drop = async () => {
    for (const server of servers) await dropDatabase(server, name);
  };
  await drop();
  await onAll(`create database ${name}`);
  for (const server of servers) await onServer(withDatabase(server, name), "create extension citus");
  const template = withDatabase(first, name);
  const place = (server: string) => `'${new URL(server).hostname}', ${new URL(server).port}`;
  await onServer(template, `select citus_set_coordinator_host(${place(first)})`);
  for (const worker of workers) await onServer(template, `select citus_add_node(${place(worker)})`);
  await onServer(first, `alter database ${name} set citus.shard_count = ${shards}`);
  await migrate(template);
  await distribute(template);
  // A database with connections cannot be copied, and Citus keeps connections to each database that uses it.
  await onAll(`alter database ${name} with allow_connections false`);
  await onAll(`select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`);
  return { servers, drop };
}
