import { rm } from "node:fs/promises";
import type { TestProject } from "vitest/node";
import pg from "pg";
import { clusterFile } from "../../../testing/cluster-nodes.js";
import { folderInMemory } from "../../../testing/folder-in-memory.js";
import { startEmbeddedServer } from "../src/core/database/database-server.js";
import { migrate } from "../src/core/database/schema/migrate.js";
import { makeClusterTemplate } from "./cluster-template.js";

/**
 * The PostgreSQL server of a test run, with a migrated template that every test file clones. If a cluster is
 * configured (acceptance/README.md), the run uses the cluster and distributes the template.
 */
export const templateDatabase = "gatehouse_template";

/** The vitest projects of a run share a process but not their modules, so the server is stored on globalThis. */
const holder = globalThis as typeof globalThis & {
  testServers?: { starting: Promise<Servers>; users: number } | undefined;
};

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const shared = (holder.testServers ??= {
    starting: clusterFile ? useCluster() : startOwnServer(),
    users: 0,
  });
  shared.users += 1;
  const { servers, stop } = await shared.starting;
  const [first] = servers as [string];
  project.provide("databaseServer", first);
  project.provide("databaseServers", servers);
  return async () => {
    shared.users -= 1;
    if (shared.users > 0) return;
    holder.testServers = undefined;
    await stop();
  };
}

interface Servers {
  /** All servers that get the database. The first is the one to connect to. */
  servers: string[];
  stop: () => Promise<void>;
}

/** The service runs on any server, so tests must not depend on the defaults of server, database or role. */
const unlikeAnyOther = {
  timezone: "Asia/Kolkata",
  datestyle: "SQL, DMY",
  intervalstyle: "sql_standard",
  bytea_output: "escape",
  extra_float_digits: "-5",
  standard_conforming_strings: "off",
  default_transaction_isolation: "serializable",
};

async function startOwnServer(): Promise<Servers> {
  const dataDirectory = await folderInMemory("gatehouse-test-");
  const server = await startEmbeddedServer({
    dataDirectory,
    mayCreate: true,
    settings: {
      ...{ fsync: "off", full_page_writes: "off", max_connections: "200" },
      // Tests decide themselves whether their tables are analyzed, independent of timing.
      autovacuum: "off",
      ...unlikeAnyOther,
    },
  });
  const { connectionString } = server;
  await onServer(connectionString, `create database ${templateDatabase}`);
  await migrate(withDatabase(connectionString, templateDatabase));
  const stop = async () => {
    await server.stop();
    await rm(dataDirectory, { recursive: true, force: true });
  };
  return { servers: [connectionString], stop };
}

async function useCluster(): Promise<Servers> {
  const { servers, drop } = await makeClusterTemplate(templateDatabase);
  return { servers, stop: drop };
}

const maxDropAttempts = 20;
const inUse = "55006";

/** Citus keeps connections to each database of a cluster and reopens them at any time. */
export async function dropDatabase(server: string, name: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await onServer(server, `drop database if exists ${name} with (force)`);
    } catch (error) {
      if ((error as pg.DatabaseError).code !== inUse || attempt === maxDropAttempts) throw error;
    }
}

/** Runs one statement on a separate connection. */
export async function onServer(connectionString: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

export function withDatabase(connectionString: string, name: string): string {
  const url = new URL(connectionString);
  url.pathname = `/${name}`;
  return url.href;
}

declare module "vitest" {
  interface ProvidedContext {
    databaseServer: string;
    databaseServers: string[];
  }
}
