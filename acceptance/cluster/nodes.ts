import { spawn } from "node:child_process";
import { once } from "node:events";
import pg from "pg";
import type { ClusterNode } from "../../testing/cluster-nodes.js";
import { until } from "../running-service.js";

const commandTimeoutMs = 60_000;

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

/** The rows of one statement, on a separate connection. */
// Rigs read rows without types; a wrong guess fails the rig, not the compiler.
// oxlint-disable-next-line typescript/no-explicit-any
export async function ask(address: string, statement: string, values: unknown[] = []): Promise<any[]> {
  const client = new pg.Client({ connectionString: address });
  // Servers are killed here. The error names the statement.
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query(statement, values)).rows;
  } finally {
    await client.end();
  }
}

/** A server that it starts must not hold our streams open. */
async function shell(command: string): Promise<void> {
  const child = spawn("sh", ["-c", command], { stdio: "ignore", timeout: commandTimeoutMs });
  const [exitCode] = (await once(child, "close")) as [number | null];
  if (exitCode !== 0) throw new Error(`It ended with ${exitCode}: ${command}`);
}
