import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import pg from "pg";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { withDatabase } from "../../testing/database-server.js";
import { openGateway } from "../../testing/gateway.js";
import { isMigrated, migrate, readMigrations, schemaState, SchemaError } from "./migrate.js";

let connectionString: string;
let pool: pg.Pool;
let folder: URL;
const cleanups: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await asAdmin(`create database ${name}`);
  connectionString = withDatabase(inject("databaseServer"), name);
  pool = new pg.Pool({ connectionString });
  // The pool has ended before its connections have, so dropping the database may still cut one off.
  pool.on("error", () => {});
  const directory = await mkdtemp(join(tmpdir(), "gatehouse-migrations-"));
  folder = pathToFileURL(`${directory}/`);
  cleanups.push(
    () => pool.end(),
    () => asAdmin(`drop database ${name} with (force)`),
    () => rm(directory, { recursive: true }),
  );
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

async function asAdmin(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject("databaseServer") });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

async function writeMigrations(files: Record<string, string>): Promise<void> {
  for (const [name, sql] of Object.entries(files)) await writeFile(new URL(name, folder), sql);
}

async function tables(): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' order by 1",
  );
  return rows.map(({ name }) => name);
}

test("an empty database is brought up to date, and a second time there is nothing to do", async () => {
  expect(await schemaState(pool)).toBe("empty");
  expect(await isMigrated(pool)).toBe(false);
  const names = (await readMigrations()).map(({ name }) => name);
  expect(await migrate(connectionString)).toEqual(names);
  expect(await isMigrated(pool)).toBe(true);
  expect(await migrate(connectionString)).toEqual([]);
  expect(await tables()).toContain("transactions");
});

test("instances that start at the same moment apply each migration once between them", async () => {
  const applied = await Promise.all(Array.from({ length: 8 }, () => migrate(connectionString)));
  const names = (await readMigrations()).map(({ name }) => name);
  expect(applied.flat().toSorted()).toEqual(names);
  expect(applied.filter((migrations) => migrations.length > 0)).toHaveLength(1);
  expect(await isMigrated(pool)).toBe(true);
});

test("new migrations are applied behind the old ones", async () => {
  await writeMigrations({ "0001_a.sql": "create table a ()" });
  expect(await migrate(connectionString, folder)).toEqual(["0001_a.sql"]);
  await writeMigrations({ "0002_b.sql": "create table b ()", "0003_c.sql": "alter table b add x int" });
  expect(await migrate(connectionString, folder)).toEqual(["0002_b.sql", "0003_c.sql"]);
  expect(await tables()).toEqual(["a", "b", "schema_migrations"]);
});

test("a migration that fails leaves nothing of itself, and those before it stand", async () => {
  await writeMigrations({
    "0001_a.sql": "create table a ()",
    "0002_b.sql": "create table b (); insert into a values (1); create table c ()",
    "0003_d.sql": "create table d ()",
  });
  const failing = migrate(connectionString, folder);
  await expect(failing).rejects.toThrow(SchemaError);
  await expect(failing).rejects.toThrow(/^Migration 0002_b\.sql failed: /);
  expect(await tables()).toEqual(["a", "schema_migrations"]);
  await writeMigrations({ "0002_b.sql": "create table b ()" });
  expect(await migrate(connectionString, folder)).toEqual(["0002_b.sql", "0003_d.sql"]);
});

test("a database of a newer release is refused with what to do about it, and not touched", async () => {
  await migrate(connectionString);
  await pool.query(
    "insert into schema_migrations (number, name, checksum) values (9999, '9999_later.sql', 'x')",
  );
  const before = await tables();
  await expect(migrate(connectionString)).rejects.toThrow(
    "The database was migrated by a newer release (it has 9999_later.sql). Start that release, or restore a backup that fits this one.",
  );
  expect(await tables()).toEqual(before);
  expect(await schemaState(pool)).toBe("newer");
  expect(await isMigrated(pool)).toBe(false);
});

test("a migration that was changed after it was applied is refused; other line ends are no change", async () => {
  await writeMigrations({ "0001_a.sql": "create table a (\n)" });
  await migrate(connectionString, folder);
  await writeMigrations({ "0001_a.sql": "create table a (\r\n)" });
  expect(await migrate(connectionString, folder)).toEqual([]);
  await writeMigrations({ "0001_a.sql": "create table a (x int)" });
  await expect(migrate(connectionString, folder)).rejects.toThrow(
    "Migration 0001_a.sql was changed after it was applied. Restore the file as it was.",
  );
});

test("a gap in the numbers is refused before anything is applied", async () => {
  await writeMigrations({ "0001_a.sql": "create table a ()", "0003_c.sql": "create table c ()" });
  await expect(migrate(connectionString, folder)).rejects.toThrow("0003_c.sql is out of sequence");
  expect(await tables()).toEqual([]);
});

test("half a migration is not ready, whatever the number of its parts", async () => {
  await migrate(connectionString);
  const [last] = (await readMigrations()).slice(-1);
  await pool.query("delete from schema_migrations where name = $1", [last?.name]);
  expect(await schemaState(pool)).toBe("behind");
  expect(await isMigrated(pool)).toBe(false);
  // As many as this release has, but one of them is another's.
  await pool.query(
    "insert into schema_migrations (number, name, checksum) values (99, '0099_other.sql', 'x')",
  );
  expect(await isMigrated(pool)).toBe(false);
});

test("a database with tables of somebody else is told apart from an empty one", async () => {
  await pool.query("create table customers ()");
  expect(await schemaState(pool)).toBe("foreign");
});

test("a connection that breaks in the middle leaves nothing, and says that the database is gone", async () => {
  const gateway = await openGateway(connectionString);
  cleanups.unshift(() => gateway.close());
  await writeMigrations({ "0001_a.sql": "create table a (); select pg_sleep(60)" });
  const migrating = migrate(gateway.connectionString, folder);
  const isSleeping = async () => {
    const { rowCount } = await pool.query(
      "select from pg_stat_activity where datname = current_database() and query like 'create table a%'",
    );
    return rowCount;
  };
  await expect.poll(isSleeping).toBe(1);
  gateway.cut();
  await expect(migrating).rejects.toThrow(/Connection terminated/);
  await pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and query like 'create table a%'",
  );
  await expect.poll(tables).toEqual(["schema_migrations"]);
});
