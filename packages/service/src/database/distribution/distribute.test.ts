import { randomUUID } from "node:crypto";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { withDatabase } from "../../../testing/database-server.js";
import { distribute } from "./distribute.js";
import { migrate } from "../schema/migrate.js";
import { SchemaError } from "../schema/schema-error.js";

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

test("a database that is not migrated is refused, with what to do", async () => {
  await expect(distribute(connectionString)).rejects.toThrow(
    new SchemaError("The database has no tables yet. Run: gatehouse migrate"),
  );
});

test("a database of a newer release is refused, because its tables would be left where they are", async () => {
  await migrate(connectionString);
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client
    .query(
      "insert into applied_migrations (number, name, checksum, applied_by) values (999, '0999_later.sql', '', '9.0.0')",
    )
    .finally(() => client.end());
  await expect(distribute(connectionString)).rejects.toThrow(
    /newer release.*does not know where its tables belong/,
  );
});

test("a server without Citus is refused before anything is changed", async () => {
  await migrate(connectionString);
  const steps: string[] = [];
  await expect(distribute(connectionString, (step) => steps.push(step))).rejects.toThrow(
    /has no Citus extension.*Install it on every node/,
  );
  expect(steps).toEqual([]);
});

test("a server that has Citus, in a database that does not, is told to create it", async () => {
  // All that PostgreSQL goes by to call an extension available is its control file.
  const folder = await mkdtemp(path.join(tmpdir(), "gatehouse-extension-"));
  try {
    await mkdir(path.join(folder, "extension"));
    await writeFile(path.join(folder, "extension", "citus.control"), "default_version = '13.0-1'\n");
    for (const readable of [folder, path.join(folder, "extension")]) await chmod(readable, 0o755);
    await asAdmin(`alter database ${name} set extension_control_path = '${folder}'`);
    await migrate(connectionString);
    await expect(distribute(connectionString)).rejects.toThrow(
      /installed on the database server, but not created.*create extension citus/,
    );
  } finally {
    await rm(folder, { recursive: true });
  }
});
