import { randomUUID } from "node:crypto";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, inject, onTestFinished, test, vi } from "vitest";
import { withDatabase } from "../../../testing/database-server.js";
import { startStrictPooler } from "../../../testing/strict-pooler.js";
import { buildProgram } from "../../cli/program.js";
import { checkCluster, distribute } from "./distribute.js";
import { migrate } from "../../core/database/schema/migrate.js";

import { OperatorError } from "../../core/operator-error.js";
import { tablesOfKind } from "../../core/database/table-kinds.js";

let name: string;
let connectionString: string;

beforeEach(async () => {
  name = `test_${randomUUID().replaceAll("-", "")}`;
  connectionString = withDatabase(inject("databaseServer"), name);
  await asAdmin(`create database ${name}`);
});
afterEach(async () => {
  await asAdmin(`drop database ${name} with (force)`);
});

async function asAdmin(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject("databaseServer") });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

test("distributing an unmigrated database fails and names the command to run", async () => {
  await expect(distribute(connectionString)).rejects.toThrow(
    new OperatorError("The database has no tables yet. Run: gatehouse migrate"),
  );
});

test("a database of a newer release is rejected, because its new tables would not be distributed", async () => {
  await migrate(connectionString);
  await inDatabase(
    "insert into applied_migrations (number, name, checksum, applied_by) values (999, '0999_later.sql', '', '9.0.0')",
  );
  await expect(distribute(connectionString)).rejects.toThrow(
    /newer release.*does not know how to distribute its tables/,
  );
});

test("a server without Citus is rejected before anything changes", async () => {
  await migrate(connectionString);
  const steps: string[] = [];
  await expect(distribute(connectionString, (step) => steps.push(step))).rejects.toThrow(
    /does not have the Citus extension.*Install it on every node/,
  );
  expect(steps).toEqual([]);
});

/**
 * A fake Citus extension. PostgreSQL lists every extension that has a control file, and creating it runs its
 * script. This script creates only the parts of the Citus catalog that the command reads.
 */
async function offerCitus(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "gatehouse-extension-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(path.join(folder, "extension"));
  await writeFile(path.join(folder, "extension", "citus.control"), "default_version = '13.0-1'\n");
  await writeFile(
    path.join(folder, "extension", "citus--13.0-1.sql"),
    `create table pg_dist_node (noderole text default 'primary', isactive bool default true, shouldhaveshards bool);
     create table pg_dist_partition (logicalrelid regclass, partmethod "char", partkey text, colocationid int, repmodel "char");
     create function column_to_column_name(regclass, text) returns text language sql as 'select $2';`,
  );
  for (const readable of [folder, path.join(folder, "extension")]) await chmod(readable, 0o755);
  await asAdmin(`alter database ${name} set extension_control_path = '${folder}'`);
}

async function inDatabase(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

test("if the server has Citus but the database does not, the error says how to create the extension", async () => {
  await offerCitus();
  await migrate(connectionString);
  await expect(distribute(connectionString)).rejects.toThrow(
    /installed on the database server but was not created.*create extension citus/,
  );
});

test("a connection through a pooler is rejected before the command takes a lock, so no lock is left behind", async () => {
  await migrate(connectionString);
  const pooler = await startStrictPooler(connectionString);
  onTestFinished(() => pooler.close());
  await expect(distribute(pooler.connectionString)).rejects.toThrow(
    /needs a direct connection to PostgreSQL.*pooler.*DATABASE_URL/,
  );
  // Everything else still works through the pooler.
  expect(await migrate(pooler.connectionString)).toMatchObject({ applied: [] });
});

test("the command rejects a configured pooler without connecting", async () => {
  vi.stubEnv("DATABASE_URL", "postgres://127.0.0.1:1/none");
  vi.stubEnv("GATEHOUSE_DATABASE_POOLER", "transaction");
  onTestFinished(() => void vi.unstubAllEnvs());
  const words = ["distribute"];
  await expect((await buildProgram(words)).parseAsync(words, { from: "user" })).rejects.toThrow(
    /needs a direct connection/,
  );
});

test("a cluster without nodes is rejected, because Citus would add the first node under a name that other nodes cannot reach", async () => {
  await offerCitus();
  await migrate(connectionString);
  await inDatabase("create extension citus");
  await expect(distribute(connectionString)).rejects.toThrow(
    /does not have any nodes yet.*citus_set_coordinator_host.*citus_add_node/,
  );
  await inDatabase("insert into pg_dist_node (shouldhaveshards) values (false)");
  await expect(distribute(connectionString)).rejects.toThrow(/No node of the cluster may hold shards/);
});

test("migrate lists the tables of a distributed database that are not distributed yet", async () => {
  await offerCitus();
  await inDatabase("create extension citus");
  const checks = [checkCluster];
  expect(await migrate(connectionString, { checks })).toMatchObject({ notices: [] });
  const distributed = tablesOfKind("distributed").filter((table) => table !== "leads");
  await inDatabase(
    `insert into pg_dist_partition values
       ${distributed.map((table) => `('${table}', 'h', 'organization_id', 1, 's')`).join(", ")}`,
  );
  expect(await migrate(connectionString, { checks })).toMatchObject({
    applied: [],
    notices: [{ facts: { undistributed: ["leads"] }, text: expect.stringContaining("leads") }],
  });
  await inDatabase("insert into pg_dist_partition values ('leads', 'h', 'organization_id', 1, 's')");
  expect(await migrate(connectionString, { checks })).toMatchObject({ notices: [] });
});
