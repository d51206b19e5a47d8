import pg from "pg";
import { expect, test } from "vitest";
import { useMigrationSite } from "../../../testing/migrations.js";
import { backupKind } from "./backup-kind.js";
import { migrate } from "./schema/migrate.js";
import { readMigrations } from "./schema/migration-files.js";

const facts = { gatehouseVersion: "1.0.0", schemaVersion: 1 };

test("a backup with a newer schema is rejected with the release that can restore it", () => {
  expect(backupKind.problemOf({ ...facts, minimumRelease: "99.1.0" })).toContain("with 99.1.0 or later");
  expect(backupKind.problemOf({ ...facts, minimumRelease: "1.0.0" })).toBeUndefined();
  expect(backupKind.problemOf({ ...facts, minimumRelease: null })).toBeUndefined();
  expect(backupKind.problemOf(facts)).toBeUndefined();
});

test("a backup contains its release, the secret key and the certificates", () => {
  expect(backupKind.makerOf(facts)).toBe("Gatehouse 1.0.0");
  expect(backupKind).toMatchObject({ files: ["secret.key"], folders: ["tls"] });
});

const site = useMigrationSite();

test.each([0, 8, 15])("a database at migration %i can be backed up", async (last) => {
  const older = (await readMigrations()).slice(0, last);
  await site.write(Object.fromEntries(older.map(({ name, sql }) => [name, sql])));
  if (last > 0) await migrate(site.connectionString, { folders: [site.folder] });
  const client = new pg.Client(site.connectionString);
  await client.connect();
  site.cleanUp(() => client.end());
  // Release 1.0.0 ignores migrations after the eighth and can still use the database.
  expect(await backupKind.readFacts(client)).toMatchObject({
    ...{ schemaVersion: Math.min(last, 8), minimumRelease: null, organizations: 0 },
  });
});
