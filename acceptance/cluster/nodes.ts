import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import pg from "pg";
import { until } from "../running-service.js";

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
const commandTimeoutMs = 60_000;

export async function readNodes(): Promise<ClusterNode[]> {
  const file = process.env["GATEHOUSE_TEST_CLUSTER"] ?? "";
  const { nodes } = JSON.parse(await readFile(file, "utf8")) as { nodes?: Partial<ClusterNode>[] };
  if (!nodes || nodes.length < fewestNodes)
    throw new Error(`${file} must name the first node and at least two workers`);
  for (const node of nodes)
    for (const field of ["name", "address", "kill", "start"] as const)
      if (typeof node[field] !== "string") throw new Error(`${file}: a node has no ${field}`);
  return nodes as ClusterNode[];
}

export function killNode({ kill }: ClusterNode): Promise<void> {
  return shell(kill);
}

export async function startNode(node: ClusterNode): Promise<void> {
  await shell(node.start);
  await until(async () =>
    ask(node.address, "select").then(
      () => true,
      () => false,
    ),
  );
}

/** Rows of one statement, on a connection of its own. */
// Rigs look into rows freely; a wrong guess fails the rig, not the compiler.
// oxlint-disable-next-line typescript/no-explicit-any
export async function ask(address: string, statement: string, values: unknown[] = []): Promise<any[]> {
  const client = new pg.Client({ connectionString: address });
  // Servers are killed here; what was asked says so.
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query(statement, values)).rows;
  } finally {
    await client.end();
  }
}

/** A server that it starts must not hold on to our streams. */
async function shell(command: string): Promise<void> {
  const child = spawn("sh", ["-c", command], { stdio: "ignore", timeout: commandTimeoutMs });
  const [exitCode] = (await once(child, "close")) as [number | null];
  if (exitCode !== 0) throw new Error(`It ended with ${exitCode}: ${command}`);
}
