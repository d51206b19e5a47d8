import { expect, test } from "vitest";
import { useMigrationSite } from "../../../../testing/migrations.js";
import { migrate } from "./migrate.js";
import { readMigrations } from "./migration-files.js";
import { thisRelease } from "./release.js";
import { compareToRelease, schemaRefusal, schemaState } from "./schema-state.js";

const site = useMigrationSite();
const state = () => schemaState(site.pool);
const firstLedger = async () =>
  (await site.pool.query<{ name: string }>("select name from schema_migrations order by number")).rows.map(
    ({ name }) => name,
  );

test("an empty, a foreign and a Gatehouse database are distinguished", async () => {
  expect(await state()).toEqual({ is: "empty" });
  await site.pool.query("create table customers ()");
  expect(await state()).toEqual({ is: "foreign" });
  await migrate(site.connectionString);
  expect(await state()).toEqual({ is: "current" });
});

test("a database that lacks a migration is not ready, whatever else it has", async () => {
  await migrate(site.connectionString);
  const [last] = (await readMigrations()).slice(-1);
  await site.pool.query("delete from applied_migrations where name = $1", [last?.name]);
  expect(await state()).toEqual({ is: "behind" });
  // As many as this release has, but one of them belongs to another release.
  await site.pool.query(
    "insert into applied_migrations (number, name, checksum, applied_by) values (99, '0099_other.sql', 'x', '9.0.0')",
  );
  expect(await state()).toEqual({ is: "behind" });
  await expect(migrate(site.connectionString)).rejects.toThrow(
    `The database has 0099_other.sql of another release, but not ${last?.name} of this one.`,
  );
});

test("a release keeps working on the next release's schema and does not change it", async () => {
  await migrate(site.connectionString);
  const next = await site.writeNext("-- phase: expand\nalter table leads add column language text");
  await migrate(site.connectionString, { folders: [site.folder], release: "99.1.0" });
  expect(await state()).toEqual({ is: "newer" });
  expect(schemaRefusal(await state())).toBeUndefined();
  const before = await site.tables();
  expect(await migrate(site.connectionString)).toMatchObject({ applied: [], ofNewerRelease: next });
  expect(await site.tables()).toEqual(before);
});

test("a removed feature leaves its tables, and an added one gets its missing migrations", async () => {
  await migrate(site.connectionString);
  const known = await readMigrations();
  const left = known.filter(({ number }) => number !== 25);
  await site.write(Object.fromEntries(left.map(({ name, sql }) => [name, sql])));
  const ledger = known.map((migration) => ({ ...migration }));
  expect(compareToRelease(left, ledger, thisRelease)).toEqual({ is: "current" });
  const number = (known.at(-1)?.number ?? 0) + 1;
  const next = `${String(number).padStart(4, "0")}_next.sql`;
  await site.write({ [next]: "-- phase: expand\nalter table leads add column language text" });
  expect(await migrate(site.connectionString, { folders: [site.folder] })).toMatchObject({
    ...{ applied: [next], ofNewerRelease: [] },
  });

  await site.pool.query(
    `drop table receipt_keys; delete from applied_migrations where number in (25, ${number})`,
  );
  expect(await state()).toEqual({ is: "behind" });
  expect((await migrate(site.connectionString)).applied).toEqual(["0025_receipts.sql"]);
  expect(await site.tables()).toContain("receipt_keys");
});

test("two migrations with the same number are rejected", async () => {
  await site.write({ "0001_one.sql": "select 1", "0001_other.sql": "select 1" });
  await expect(migrate(site.connectionString, { folders: [site.folder] })).rejects.toThrow(
    "is out of sequence",
  );
});

test("a migration with a minimum release stops older releases with a message", async () => {
  await site.writeNext(
    "-- phase: contract; minimum release 99.1.0\nalter table leads drop column slug",
    "-- phase: contract; minimum release 99.0.0\nalter table leads drop column source",
  );
  await migrate(site.connectionString, { folders: [site.folder], release: "99.1.0" });
  expect(await state()).toEqual({ is: "closed", minimumRelease: "99.1.0" });
  const sentence =
    `The database was migrated to a state that releases before 99.1.0 cannot work on, and this is ${thisRelease}. ` +
    "Start 99.1.0 or later, or restore a backup that fits this release.";
  expect(schemaRefusal(await state())).toBe(sentence);
  await expect(migrate(site.connectionString)).rejects.toThrow(sentence);
  await expect(
    migrate(site.connectionString, { folders: [site.folder], release: "99.1.0" }),
  ).resolves.toMatchObject({ applied: [] });
});

test("release 1.0.0, which reads one table, is stopped only by a migration it cannot run with", async () => {
  const ofFirstRelease = (await readMigrations()).slice(0, 8).map(({ name }) => name);
  const [harmless = "", harmful = ""] = await site.writeNext(
    "-- phase: contract; minimum release 1.0.0\nalter table leads drop column slug",
    "-- phase: contract; minimum release 1.1.0\nalter table leads drop column source",
  );
  await migrate(site.connectionString, { folders: [site.folder], release: "99.0.0" });
  expect(await firstLedger()).toEqual([...ofFirstRelease, harmful]);
  const { rows } = await site.pool.query("select name from applied_migrations where name = any ($1)", [
    [harmless, harmful],
  ]);
  expect(rows).toHaveLength(2);
});
