import { expect, test } from "vitest";
import fc from "../../../../testing/properties.js";
import { isLarge, readBatch, readItem, readLargeItem, readObject, readText } from "./read-body.js";
import { MalformedJson } from "./scan.js";

const read = (text: string, maxItems = 500) => readBatch(text, "transactions", maxItems);
const values = async (text: string) => {
  const batch = await read(text);
  return batch.items.map((item) => readItem(batch.text, item).value);
};

test("records are cut out of any well-formed batch exactly as JSON.parse sees them", async () => {
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

/** Texts that are JSON or nearly: a valid one with a character put in, taken out or replaced. */
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

test("R193 what JSON.parse refuses is refused, and what it takes is taken", async () => {
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

test("numbers, words and escapes are judged as JSON.parse judges them", async () => {
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

test("reading 27: a body that is not UTF-8 is refused", async () => {
  const bytes = Buffer.from('{"transactions":[{"transactionId":"\xe9"}]}', "latin1");
  expect(() => readText(bytes)).toThrow(MalformedJson);
});

test("reading 28: metadata keeps digits, U+0000, surrogates and __proto__ exactly", async () => {
  const metadata =
    '{"big": 12345678901234567890.123456789012345678901234567890, "z":"\\u0000\\ud800","__proto__":{"a":1e400}}';
  const batch = await read(`{"transactions":[{"vehicle":{"metadata":${metadata}}}],"metadata":${metadata}}`);
  expect(batch.metadata).toBe(metadata);
  expect(readItem(batch.text, batch.items[0]!).textAt(["vehicle", "metadata"])).toBe(metadata);
});

const names = new Set([
  "transactionId",
  "amountTotal",
  "metadata",
  "vehicle",
  "licensePlate",
  "type",
  "contact",
]);

test("of a large record the fields that matter are built, their texts kept, and the rest is dropped", async () => {
  const metadata = `{"list":[${"[[1.50]],".repeat(10_000)}0]}`;
  const record = `{ "junk":{"type":1}, "type":"first", "amountTotal" : 1.00000000000000000001,
    "transactionId":"T-\\ud83d\\ude00", "vehicle":{"license\\u0050late":"ABC","metadata":${metadata},"other":1},
    "metadata":${metadata},"contact":[{"type":1}],"type":{"a":{"b":1}} }`;
  const batch = await read(`{"transactions":[1, ${record} ]}`);
  const item = batch.items[1]!;
  expect(isLarge(item)).toBe(true);
  const large = await readLargeItem(batch.text, item, names);
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

test("a large record is told apart from the value at its top", async () => {
  const filler = '"x",'.repeat(10_000);
  const batch = await read(
    `{"transactions":["${"x".repeat(50_000)}",[${filler}1],{"type":2,"a":[${filler}1]}]}`,
  );
  const built = await Promise.all(batch.items.map((item) => readLargeItem(batch.text, item, names)));
  expect(built.map((record) => record.value)).toEqual(["x".repeat(50_000), [], { type: 2 }]);
  expect(built.map((record) => record.isObject)).toEqual([false, false, true]);
});

test("reading 28: a body nested a million deep costs no more than reading it, and its depths are told", async () => {
  const deep = "[".repeat(1_000_000) + "]".repeat(1_000_000);
  const batch = await read(
    `{"transactions":[{"transactionId":"T","junk":${deep},"metadata":{"a":${deep}}}],"metadata":{"a":${deep}}}`,
  );
  expect(batch.metadataProblem).toBe("too deep");
  const large = await readLargeItem(batch.text, batch.items[0]!, names);
  expect(large.value).toEqual({ transactionId: "T", metadata: {} });
  expect(large.depthAt(["metadata"])).toBe(1_000_001);
  await expect(read(`{"transactions":${"[".repeat(2_000_000)}`)).rejects.toThrow(MalformedJson);
});

test("a batch above the maximum is counted, not kept", async () => {
  const batch = await read(JSON.stringify({ transactions: Array(501).fill(1) }));
  expect(batch).toMatchObject({ submitted: 501, items: [] });
});

test("reading 39: a missing, null or wrong array and wrong metadata are told apart", async () => {
  expect((await read("{}")).array).toBe("missing");
  expect((await read('{"transactions":null}')).array).toBe("missing");
  expect((await read('{"transactions":{}}')).array).toBe("wrong type");
  expect(await read('{"transactions":{"a":1}}')).toMatchObject({ submitted: 0, items: [] });
  expect((await read('{"transactions":[],"metadata":[]}')).metadataProblem).toBe("wrong type");
  expect((await read('{"transactions":[],"metadata":null}')).metadataProblem).toBeUndefined();
});

test("R193 an array that a later one of its name replaces is still to be JSON", async () => {
  await expect(read('{"transactions":[tru],"transactions":[1]}')).rejects.toThrow(MalformedJson);
  expect(await values('{"transactions":[2,3],"transactions":[1]}')).toEqual([1]);
});

const known = new Set(["a", "metadata", "name", "deep"]);

test("numbers that a double cannot hold keep their spelling", async () => {
  const record = await readObject(
    '{"a": 0.1000000000000000055511151231257827, "b":{"c":1e-7}, "d": 12.50}',
    known,
  );
  expect(record.numberSpelling(["a"])).toBe("0.1000000000000000055511151231257827");
  expect(record.numberSpelling(["b", "c"])).toBe("1e-7");
  expect((await readObject('{"d": 12.50}', known)).numberSpelling(["d"])).toBeUndefined();
});

test("a body that is one object is read whole if it is small; of a large one what is known, without its depths", async () => {
  expect((await readObject(' {"a":{"b":[1]}} ', known)).value).toEqual({ a: { b: [1] } });
  const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  const record = await readObject(`{"a":"x","other":1,"metadata":{"name":"y","deep":${deep}}}`, known);
  expect(record.value).toEqual({ a: "x", metadata: { name: "y", deep: [] } });
  expect(record.depthAt(["metadata"])).toBe(100_001);
  await expect(readObject("{} {}", known)).rejects.toThrow(MalformedJson);
  await expect(readObject("", known)).rejects.toThrow(MalformedJson);
});
