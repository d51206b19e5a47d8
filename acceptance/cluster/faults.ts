import { setTimeout as sleep } from "node:timers/promises";
import { until } from "../running-service.js";
import { faultsOfInstances, type Fault } from "../rigs/nemesis.js";
import type { ClusterDatabase } from "./cluster-database.js";
import { killNode, startNode } from "./nodes.js";

/** The statement with which the first node ends a commit on a worker, and the worker's answer to its beginning. */
export const phases = {
  "the second phase": "COMMIT PREPARED",
  "the answer to the first": "PREPARE TRANSACTION\0",
};

/** The usual faults (PostgreSQL is restarted on the first node), and those that only a cluster has. */
export function faultsOfCluster(database: ClusterDatabase): Record<string, Fault> {
  const cuts = Object.entries(phases).map(([phase, text]): [string, Fault] => [
    `cut before ${phase} of a commit`,
    async () => {
      // Only the next worker that commits.
      await Promise.race(database.workers.map(({ proxy }) => proxy.cutBefore(text)));
      for (const { proxy } of database.workers) proxy.passAgain();
    },
  ]);
  const kills = database.workers.map(({ node }): [string, Fault] => [
    `kill and restart of ${node.name}`,
    async (_, random) => {
      await killNode(node);
      await sleep(random.between(0, 1_000));
      await startNode(node);
    },
  ]);
  return {
    ...faultsOfInstances,
    ...Object.fromEntries([...cuts, ...kills]),
    "move of a shard with all colocated shards": async (_, random) => {
      const shards = await database.query(
        "select shardid as id, nodeport as port from citus_shards where table_name = 'import_turns'::regclass",
      );
      const { id, port } = random.pick(shards);
      const other = database.workers.find(({ proxy }) => proxy.port !== port);
      await database.query(
        "select citus_move_shard_placement($1, '127.0.0.1', $2, '127.0.0.1', $3, shard_transfer_mode => 'force_logical')",
        [id, port, other?.proxy.port],
      );
    },
    "drain of a worker, and rebalance": async (_, random) => {
      const { proxy } = random.pick(database.workers);
      await database.query(
        "select citus_drain_node('127.0.0.1', $1, shard_transfer_mode => 'force_logical')",
        [proxy.port],
      );
      await database.query("select citus_set_node_property('127.0.0.1', $1, 'shouldhaveshards', true)", [
        proxy.port,
      ]);
      await database.query("select rebalance_table_shards(shard_transfer_mode => 'force_logical')");
    },
  };
}

/** Waits until every interrupted commit is resolved: no node holds a prepared transaction. */
export function untilSettled(database: ClusterDatabase): Promise<void> {
  return until(async () => {
    const rows = await database.query(
      "select result from run_command_on_workers('select count(*) from pg_prepared_xacts where database = current_database()')",
    );
    return rows.every(({ result }) => result === "0");
  });
}
