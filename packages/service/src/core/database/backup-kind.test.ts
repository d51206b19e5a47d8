import pg from "pg";
import { expect, test } from "vitest";
import { useMigrationSite } from "../../../testing/migrations.js";
import { backupKind } from "./backup-kind.js";
import { migrate } from "./schema/migrate.js";
import { readMigrations } from "./schema/migration-files.js";

const facts = { gatehouseVersion: "1.0.0", schemaVersion: 1 };

test("a backup of a schema that is too new is refused, with the release that can restore it", () => {
  expect(backupKind.problemOf({ ...facts, minimumRelease: "99.1.0" })).toContain("with 99.1.0 or later");
  expect(backupKind.problemOf({ ...facts, minimumRelease: "1.0.0" })).toBeUndefined();
  expect(backupKind.problemOf({ ...facts, minimumRelease: null })).toBeUndefined();
  expect(backupKind.problemOf(facts)).toBeUndefined();
});

test("a backup says which release made it, and holds the key and the certificates", () => {
  expect(backupKind.makerOf(facts)).toBe("Gatehouse 1.0.0");
  expect(backupKind).toMatchObject({ files: ["secret.key"], folders: ["tls"] });
});

const site = useMigrationSite();

test.each([0, 8, 15])("a database that is still at migration %i can be backed up", async (last) => {
  const older = (await readMigrations()).slice(0, last);
  await site.write(Object.fromEntries(older.map(({ name, sql }) => [name, sql])));
  if (last > 0) await migrate(site.connectionString, { folders: [site.folder] });
  const client = new pg.Client(site.connectionString);
  await client.connect();
  site.cleanUp(() => client.end());
  // Release 1.0.0 knows nothing of what comes behind the eighth, and can work on it.
  expect(await backupKind.readFacts(client)).toMatchObject({
    ...{ schemaVersion: Math.min(last, 8), minimumRelease: null, organizations: 0 },
  });
});
