import { readNodes } from "../../../testing/cluster-nodes.js";
import { distribute } from "../src/features/cluster/distribute.js";
import { migrate } from "../src/core/database/schema/migrate.js";
import { dropDatabase, onServer, withDatabase } from "./database-server.js";

/** Few, so that a test file's clone is made quickly. */
const shards = 4;

/**
 * A database on every node of the cluster, migrated and distributed. A copy of each of them under one name is a cluster of
 * its own: nodes know one another by address, and connect to the database that has the name of theirs.
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
  // A database that somebody is connected to cannot be copied, and Citus is, to each that it is used in.
  await onAll(`alter database ${name} with allow_connections false`);
  await onAll(`select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`);
  return { servers, drop };
}
