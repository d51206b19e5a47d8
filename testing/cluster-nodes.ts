import { readFile } from "node:fs/promises";

/**
 * A server of the cluster, as GATEHOUSE_TEST_CLUSTER describes it: the name of a JSON file with a list of `nodes`, the
 * first node of the cluster first. acceptance/README.md says what such a cluster must be like.
 */
export interface ClusterNode {
  name: string;
  /** Of a superuser, in any database of that server. */
  address: string;
  /** A shell command that ends the server without a checkpoint; done when it has ended. */
  kill: string;
  /** A shell command that starts it again; done when it has started. */
  start: string;
}

const fewestNodes = 3;

/** Undefined: no cluster is named, and tests have one server of their own. */
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
