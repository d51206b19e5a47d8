import { rm } from "node:fs/promises";
import type { TestProject } from "vitest/node";
import pg from "pg";
import { folderInMemory } from "../../../testing/folder-in-memory.js";
import { startEmbeddedServer } from "../src/database/embedded-server.js";
import { migrate } from "../src/database/schema/migrate.js";

/** One real PostgreSQL server for a test run, with a migrated template that every test file clones. */
export const templateDatabase = "gatehouse_template";

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDirectory = await folderInMemory("gatehouse-test-");
  const server = await startEmbeddedServer({
    dataDirectory,
    settings: {
      ...{ fsync: "off", full_page_writes: "off", max_connections: "200" },
      // Whether the tables of a test have been analyzed is its own affair, and no matter of when it runs.
      autovacuum: "off",
    },
  });
  const admin = new pg.Client({ connectionString: server.connectionString });
  await admin.connect();
  await admin.query(`create database ${templateDatabase}`);
  await admin.end();
  await migrate(withDatabase(server.connectionString, templateDatabase));
  project.provide("databaseServer", server.connectionString);

  return async () => {
    await server.stop();
    await rm(dataDirectory, { recursive: true, force: true });
  };
}

export function withDatabase(connectionString: string, name: string): string {
  const url = new URL(connectionString);
  url.pathname = `/${name}`;
  return url.href;
}

declare module "vitest" {
  interface ProvidedContext {
    databaseServer: string;
  }
}
