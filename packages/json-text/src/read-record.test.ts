import { expect, test } from "vitest";
import { MalformedJson } from "./malformed-json.js";
import { readList } from "./read-list.js";
import { findValue, isLarge, readLargeRecord, readWhole } from "./read-record.js";
import type { Span } from "./scan.js";
import { endlessBudget } from "../testing/budgets.js";

const maxDepth = 64;
const read = (text: string) =>
  readList(text, { name: "transactions", maxItems: 500, otherNames: [], budget: endlessBudget });
const readLarge = (text: string, item: Span) =>
  readLargeRecord(text, item, { names, maxDepth, budget: endlessBudget });
const readObject = (text: string, wanted: ReadonlySet<string>) =>
  readWhole(text, { names: wanted, maxDepth, budget: endlessBudget });

const names = new Set([
  "transactionId",
  "amountTotal",
  "metadata",
  "vehicle",
  "licensePlate",
  "type",
  "contact",
]);

test("a large record is read with the requested fields and their texts only", async () => {
  const metadata = `{"list":[${"[[1.50]],".repeat(10_000)}0]}`;
  const record = `{ "junk":{"type":1}, "type":"first", "amountTotal" : 1.00000000000000000001,
    "transactionId":"T-\\ud83d\\ude00", "vehicle":{"license\\u0050late":"ABC","metadata":${metadata},"other":1},
    "metadata":${metadata},"contact":[{"type":1}],"type":{"a":{"b":1}} }`;
  const text = `{"transactions":[1, ${record} ]}`;
  const batch = await read(text);
  const item = batch.items[1]!;
  expect(isLarge(item, maxDepth)).toBe(true);
  const large = await readLarge(text, item);
  expect(large.value).toEqual({
    transactionId: "T-😀",
    amountTotal: 1,
    vehicle: { licensePlate: "ABC", metadata: {} },
    metadata: {},
    contact: [],
    type: {},
  });
  expect(large.text).toBe(record);
  expect(large.textAt(["metadata"])).toBe(metadata);
  expect(large.textAt(["vehicle", "metadata"])).toBe(metadata);
  expect(large.textAt(["vehicle", "state"])).toBeUndefined();
  expect(large.numberSpelling(["amountTotal"])).toBe("1.00000000000000000001");
});

test("the depth of a large record is measured from the record itself", async () => {
  const filler = '"x",'.repeat(10_000);
  const text = `{"transactions":["${"x".repeat(50_000)}",[${filler}1],{"type":2,"a":[${filler}1]}]}`;
  const batch = await read(text);
  const built = await Promise.all(batch.items.map((item) => readLarge(text, item)));
  expect(built.map((record) => record.value)).toEqual(["x".repeat(50_000), [], { type: 2 }]);
  expect(built.map((record) => record.isObject)).toEqual([false, false, true]);
});

const known = new Set(["a", "metadata", "name", "deep"]);

test("numbers that a double cannot hold keep their digits", async () => {
  const record = await readObject(
    '{"a": 0.1000000000000000055511151231257827, "b":{"c":1e-7}, "d": 12.50}',
    known,
  );
  expect(record.numberSpelling(["a"])).toBe("0.1000000000000000055511151231257827");
  expect(record.numberSpelling(["b", "c"])).toBe("1e-7");
  expect((await readObject('{"d": 12.50}', known)).numberSpelling(["d"])).toBeUndefined();
});

test("a small single object is read completely, a large one only with its known fields", async () => {
  expect((await readObject(' {"a":{"b":[1]}} ', known)).value).toEqual({ a: { b: [1] } });
  const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  const record = await readObject(`{"a":"x","other":1,"metadata":{"name":"y","deep":${deep}}}`, known);
  expect(record.value).toEqual({ a: "x", metadata: { name: "y", deep: [] } });
  expect(record.depthAt(["metadata"])).toBe(100_001);
  await expect(readObject("{} {}", known)).rejects.toThrow(MalformedJson);
  await expect(readObject("", known)).rejects.toThrow(MalformedJson);
});

test("a single value is located like one in a list, and nothing may follow it", async () => {
  const record = '{"type":1,"vehicle":{"metadata":[]}}';
  const { items } = await read(`{"transactions":[${record}]}`);
  const found = await findValue(` ${record}\n`, endlessBudget);
  expect(found).toEqual({ start: 1, end: record.length + 1, depth: items[0]?.depth });
  await expect(findValue(`${record},${record}`, endlessBudget)).rejects.toThrow(MalformedJson);
});
