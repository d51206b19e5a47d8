import type pg from "pg";
import { expect, test } from "vitest";
import { useDatabase } from "../../../testing/harness.js";
import { fetchInBatches } from "./sql.js";

const used = useDatabase();
const rows = 20_000;
const firstNumbers = (count: number) => `select n from generate_series(1, ${count}) as n order by n`;

/** The statement, and the largest number of rows parsed in one turn of the event loop. */
function countedByTurn(query: pg.QueryConfig): { query: pg.QueryConfig; most: () => number } {
  let most = 0;
  let taken = 0;
  const take = (text: string): number => {
    if (taken === 0) setImmediate(() => (taken = 0));
    taken += 1;
    most = Math.max(most, taken);
    return Number(text);
  };
  const types = { getTypeParser: () => take } as unknown as pg.CustomTypesConfig;
  return { query: { ...query, types }, most: () => most };
}

test("thousands of rows arrive in batches of 100, in order, and the event loop runs in between", async () => {
  const counted = countedByTurn(fetchInBatches({ text: firstNumbers(rows) }));
  const read = await used.database.reads.query<{ n: number }>(counted.query);
  expect(read.rows.map(({ n }) => n)).toEqual(Array.from({ length: rows }, (_none, index) => index + 1));
  expect(counted.most()).toBeLessThanOrEqual(100);
});

test("all rows are read, also if the last batch is full or empty", async () => {
  for (const count of [0, 1, 99, 100, 101, 200, 201]) {
    const read = await used.database.reads.query<{ n: number }>(
      fetchInBatches({ text: firstNumbers(count) }),
    );
    expect(read.rows.map(({ n }) => n)).toEqual(Array.from({ length: count }, (_none, index) => index + 1));
  }
});

test("a statement that fails after its first batch rejects, and its connection stays usable", async () => {
  const failing = fetchInBatches({ text: "select 1 / (1500 - n) from generate_series(1, 2000) as n" });
  await expect(used.database.reads.query(failing)).rejects.toThrow("division by zero");
  expect((await used.database.reads.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
});
