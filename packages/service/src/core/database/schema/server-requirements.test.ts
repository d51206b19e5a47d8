import { expect, test } from "vitest";
import { useMigrationSite } from "../../../../testing/migrations.js";
import { migrate } from "./migrate.js";
import { OperatorError } from "../../operator-error.js";
import { serverRefusal } from "./server-requirements.js";

const site = useMigrationSite("encoding 'SQL_ASCII' locale_provider libc locale 'C' template template0");

test("a database with an encoding other than UTF8 is rejected before it is changed", async () => {
  await expect(migrate(site.connectionString)).rejects.toThrow(
    new OperatorError(
      "The database has the encoding SQL_ASCII, which cannot store every text. Create a database with UTF8: create database gatehouse encoding 'UTF8' template template0;",
    ),
  );
  expect(await site.tables()).toEqual([]);
});

test.each([
  [{ version: 140_011, encoding: "UTF8" }, /is PostgreSQL 14, and Gatehouse needs 15 or later/],
  [{ version: 90_624, encoding: "UTF8" }, /is PostgreSQL 9, /],
  [{ version: 150_000, encoding: "UTF8" }, undefined],
  [{ version: 180_001, encoding: "UTF8" }, undefined],
  [{ version: 180_001, encoding: "LATIN1" }, /has the encoding LATIN1/],
])("%o", (facts, refusal) => {
  if (refusal) expect(serverRefusal(facts)).toMatch(refusal);
  else expect(serverRefusal(facts)).toBeUndefined();
});
