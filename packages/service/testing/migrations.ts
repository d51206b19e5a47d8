import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import pg from "pg";
import { afterEach, beforeEach, inject } from "vitest";
import { readMigrations } from "../src/core/database/schema/migration-files.js";
import { withDatabase } from "./database-server.js";

export interface MigrationSite {
  readonly connectionString: string;
  readonly pool: pg.Pool;
  /** A separate folder, initially empty. */
  readonly folder: URL;
  write(files: Record<string, string>): Promise<void>;
  /** Copies the migrations of this release into the folder, adds `next` after them, and returns their names. */
  writeNext(...next: string[]): Promise<string[]>;
  tables(): Promise<string[]>;
  /** Closes everything that the test opened, before the database is dropped. */
  cleanUp(work: () => Promise<unknown>): void;
}

/** An empty database and a folder of migrations for each test. `options` are those of create database. */
export function useMigrationSite(options = ""): MigrationSite {
  let connectionString: string;
  let pool: pg.Pool;
  let folder: URL;
  const cleanups: (() => Promise<unknown>)[] = [];
  beforeEach(async () => {
    const name = `test_${randomUUID().replaceAll("-", "")}`;
    await asAdmin(`create database ${name} ${options}`);
    connectionString = withDatabase(inject("databaseServer"), name);
    pool = new pg.Pool({ connectionString });
    // The pool ends before its connections have closed, so dropping the database may still terminate one.
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

  const write: MigrationSite["write"] = async (files) => {
    for (const [name, sql] of Object.entries(files)) await writeFile(new URL(name, folder), sql);
  };
  return {
    get connectionString() {
      return connectionString;
    },
    get pool() {
      return pool;
    },
    get folder() {
      return folder;
    },
    write,
    async writeNext(...next) {
      const known = await readMigrations();
      await write(Object.fromEntries(known.map(({ name, sql }) => [name, sql])));
      const names = next.map(
        (_sql, index) => `${String(known.length + index + 1).padStart(4, "0")}_next.sql`,
      );
      await write(Object.fromEntries(names.map((name, index) => [name, next[index] as string])));
      return names;
    },
    async tables() {
      const { rows } = await pool.query<{ name: string }>(
        "select tablename as name from pg_tables where schemaname = 'public' order by 1",
      );
      return rows.map(({ name }) => name);
    },
    cleanUp: (work) => void cleanups.unshift(work),
  };
}

async function asAdmin(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject("databaseServer") });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}
