import { readFile } from "node:fs/promises";

/**
 * A server of the cluster. GATEHOUSE_TEST_CLUSTER names a JSON file with a list of `nodes`, the first node of the cluster
 * first. acceptance/README.md describes the requirements of such a cluster.
 */
export interface ClusterNode {
  name: string;
  /** The connection string of a superuser, for any database of the server. */
  address: string;
  /** A shell command that stops the server without a checkpoint and returns when it has stopped. */
  kill: string;
  /** A shell command that starts it again and returns when it has started. */
  start: string;
}

const fewestNodes = 3;

/** Undefined: no cluster is configured, and tests use a single server. */
export const clusterFile = process.env["GATEHOUSE_TEST_CLUSTER"] || undefined;

export async function readNodes(): Promise<ClusterNode[]> {
  const file = clusterFile ?? "";
  const { nodes } = JSON.parse(await readFile(file, "utf8")) as { nodes?: Partial<ClusterNode>[] };
  if (!nodes || nodes.length < fewestNodes)
    throw new Error(`${file} must name the first node and at least two workers`);
  for (const node of nodes)
    for (const field of ["name", "address", "kill", "start"] as const)
      if (typeof node[field] !== "string") throw new Error(`${file}: a node has no ${field}`);
  return nodes as ClusterNode[];
}
