import { expect, test } from "vitest";
import { CountingBudget } from "../testing/budgets.js";
import { doInTurns } from "./pacing.js";
import { readList } from "./read-list.js";
import { readLargeRecord, readWhole } from "./read-record.js";
import { scanValue } from "./scan.js";

/** The maximum number of characters between two checks of the budget. */
const lookCharacters = 65_536;
const length = 1_000_000;
const spaces = " ".repeat(length);
const escapes = String.raw`\"`.repeat(length / 2);
const backslashes = "\\".repeat(length);
const letters = `${"x".repeat(length / 2)}\\u00e9${"x".repeat(length / 2)}`;
const digits = "1".repeat(length);

const expectedLooks = Math.floor(length / lookCharacters);

const long: [string, string][] = [
  ["a string of escaped quotes", `"${escapes}"`],
  ["a string of backslashes", `"${backslashes}"`],
  ["a number", digits],
  ["a fraction", `0.${digits}`],
  ["an exponent", `1e${digits}`],
  ["a list of nothing but space", `[${spaces}]`],
  ["an object of nothing but space", `{${spaces}}`],
  ["a name", `{"${escapes}":1}`],
  ["space before a name", `{${spaces}"a":1}`],
  ["space before a colon", `{"a"${spaces}:1}`],
  ["space behind a colon", `{"a":${spaces}1}`],
  ["space before a comma", `[1${spaces},2]`],
  ["space behind a comma", `[1,${spaces}2]`],
  ["space before the end of a list", `[1${spaces}]`],
];

test.each([...long, ["space before it", `${spaces}1`], ["space behind it", `1${spaces}`]] as [
  string,
  string,
][])("scanning a single value yields within it: %s", async (_what, text) => {
  const budget = new CountingBudget();
  await readWhole(text, { names: new Set(), maxDepth: 64, budget });
  expect(budget.looks).toBeGreaterThanOrEqual(expectedLooks);
});

test.each([
  ...long.flatMap(([what, value]): [string, string][] => [
    [`in a record, ${what}`, `{"list":[${value}]}`],
    [`in another member, ${what}`, `{"other":${value}}`],
    [`beside too many records, ${what}`, `{"list":[1,2,3,${value}]}`],
  ]),
  ["a name", `{"${escapes}":1}`],
  ["a name of letters", `{"${letters}":1}`],
  ["space before it", `${spaces}{}`],
  ["space behind it", `{}${spaces}`],
  ["space before a name", `{${spaces}"list":[]}`],
  ["space before a colon", `{"list"${spaces}:[]}`],
  ["space behind a colon", `{"list":${spaces}[]}`],
  ["space before a comma", `{"list":[]${spaces},"other":1}`],
  ["space behind a comma", `{"list":[],${spaces}"other":1}`],
  ["space in the list", `{"list":[${spaces}]}`],
  ["space before a record", `{"list":[${spaces}1]}`],
  ["space behind a record", `{"list":[1${spaces},2]}`],
  ["space before the next record", `{"list":[1,${spaces}2]}`],
])("reading a list yields within it: %s", async (_what, text) => {
  const budget = new CountingBudget();
  await readList(text, { name: "list", maxItems: 3, otherNames: [], budget });
  expect(budget.looks).toBeGreaterThanOrEqual(expectedLooks);
});

test("reading a large record yields within a string", async () => {
  const text = `{"a":"${escapes}"}`;
  const budget = new CountingBudget();
  await readLargeRecord(text, scanValue(text, 0), { names: new Set(), maxDepth: 64, budget });
  expect(budget.looks).toBeGreaterThanOrEqual(expectedLooks);
});

test("other tasks run when the budget is spent, and the work continues after them", async () => {
  const order: string[] = [];
  function* work() {
    order.push("one");
    yield;
    order.push("two");
    yield;
    return "done";
  }
  const spent = [true, false];
  const budget = {
    get isSpent() {
      return spent.shift() ?? false;
    },
    giveWay: async () => {
      order.push("others");
    },
  };
  expect(await doInTurns(work(), budget)).toBe("done");
  expect(order).toEqual(["one", "others", "two"]);
});
