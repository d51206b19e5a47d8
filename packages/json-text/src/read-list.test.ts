import { expect, test } from "vitest";
import fc from "../../../testing/properties.js";
import { MalformedJson } from "./malformed-json.js";
import { readList } from "./read-list.js";
import { readRecord } from "./read-record.js";
import { endlessBudget } from "../testing/budgets.js";

const read = (text: string, maxItems = 500) =>
  readList(text, { name: "transactions", maxItems, otherNames: ["metadata"], budget: endlessBudget });
const values = async (text: string) =>
  (await read(text)).items.map((item) => readRecord(text, item, 64).value);

test("the records of any well-formed batch equal those of JSON.parse", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.jsonValue({ maxDepth: 5 })),
      fc.jsonValue(),
      fc.nat(4),
      async (records, other, indent) => {
        const text = JSON.stringify({ other, transactions: records, 'meta"data': other }, null, indent);
        expect(await values(text)).toEqual(JSON.parse(text).transactions);
      },
    ),
    { numRuns: 500 },
  );
});

/** JSON texts with a character inserted, removed or replaced. */
const nearlyJson = fc
  .tuple(
    fc.jsonValue({ maxDepth: 3, stringUnit: "binary" }),
    fc.nat(),
    fc.nat(2),
    fc.constantFrom(...'{}[],:"\\x1 0.-+eEu\t\n\u0001/tn'),
  )
  .map(([value, position, cut, character]) => {
    const text = JSON.stringify({ transactions: [value], metadata: {} });
    const at = position % (text.length + 1);
    const changed = text.slice(0, at) + (cut === 1 ? "" : character) + text.slice(cut === 0 ? at : at + 1);
    return Buffer.from(changed).toString();
  });

/** @covers R193 */
test("accepts and rejects the same texts as JSON.parse", async () => {
  await fc.assert(
    fc.asyncProperty(nearlyJson, async (text) => {
      let parsed: { transactions?: unknown } | undefined;
      try {
        parsed = JSON.parse(text);
      } catch {
        parsed = undefined;
      }
      if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed))
        await expect(values(text)).rejects.toThrow(MalformedJson);
      else if (Array.isArray(parsed.transactions)) expect(await values(text)).toEqual(parsed.transactions);
      else expect((await read(text)).items).toEqual([]);
    }),
    { numRuns: 3_000 },
  );
});

test("accepts and rejects the same numbers, words and escapes as JSON.parse", async () => {
  const pieces = [
    "0",
    "1",
    "9",
    "-",
    "+",
    ".",
    "e",
    "E",
    "true",
    "null",
    "fals",
    '"',
    "\\",
    "u",
    "00e9",
    "n",
    " ",
  ];
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...pieces), { maxLength: 6 }), async (parts) => {
      const text = `{"transactions":[${parts.join("")}]}`;
      let isValid = true;
      try {
        JSON.parse(text);
      } catch {
        isValid = false;
      }
      if (isValid) expect(await values(text)).toEqual(JSON.parse(text).transactions);
      else await expect(values(text)).rejects.toThrow(MalformedJson);
    }),
    { numRuns: 3_000 },
  );
});

test("the records of a batch above the maximum are only counted", async () => {
  const batch = await read(JSON.stringify({ transactions: Array(501).fill(1) }));
  expect(batch).toMatchObject({ submitted: 501, items: [] });
});

/** @covers R193 */
test("an array that a duplicate name replaces must still be valid JSON", async () => {
  await expect(read('{"transactions":[tru],"transactions":[1]}')).rejects.toThrow(MalformedJson);
  expect(await values('{"transactions":[2,3],"transactions":[1]}')).toEqual([1]);
});

test("requested members are found; the last one counts if a name occurs twice", async () => {
  const text = '{"metadata":1,"x":2,"transactions":[],"metadata" : {"a":[]} }';
  const { others } = await read(text);
  expect([...others]).toEqual([["metadata", { start: 51, end: 59, depth: 2 }]]);
});
