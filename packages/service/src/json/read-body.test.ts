import fc from "fast-check";
import { expect, test } from "vitest";
import { readBatch, readItem, readObject } from "./read-body.js";
import { MalformedJson } from "./scan.js";

const read = (text: string, maxItems = 500) => readBatch(Buffer.from(text), "transactions", maxItems);
const values = (text: string) => {
  const batch = read(text);
  return batch.items.map((item) => readItem(batch.text, item).value);
};

test("records are cut out of any well-formed batch exactly as JSON.parse sees them", () => {
  fc.assert(
    fc.property(
      fc.array(fc.jsonValue({ maxDepth: 5 })),
      fc.jsonValue(),
      fc.nat(4),
      (records, other, indent) => {
        const text = JSON.stringify({ other, transactions: records, 'meta"data': other }, null, indent);
        expect(values(text)).toEqual(JSON.parse(text).transactions);
      },
    ),
    { numRuns: 500 },
  );
});

test("what JSON.parse refuses is refused", () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ maxDepth: 3 }),
      fc.nat(),
      fc.constantFrom(...'{}[],:"\\x1 '),
      (value, position, character) => {
        const text = JSON.stringify({ transactions: [value], metadata: {} });
        const at = position % (text.length + 1);
        const broken = text.slice(0, at) + character + text.slice(at);
        let parsed: { transactions?: unknown } | undefined;
        try {
          parsed = JSON.parse(broken);
        } catch {
          parsed = undefined;
        }
        if (parsed === undefined) expect(() => values(broken)).toThrow(MalformedJson);
        else if (Array.isArray(parsed.transactions)) expect(values(broken)).toEqual(parsed.transactions);
      },
    ),
    { numRuns: 2_000 },
  );
});

test("reading 27: a body that is not UTF-8 is refused", () => {
  const bytes = Buffer.from('{"transactions":[{"transactionId":"\xe9"}]}', "latin1");
  expect(() => readBatch(bytes, "transactions", 500)).toThrow(MalformedJson);
});

test("reading 28: metadata keeps digits, U+0000, surrogates and __proto__ exactly", () => {
  const metadata =
    '{"big": 12345678901234567890.123456789012345678901234567890, "z":"\\u0000\\ud800","__proto__":{"a":1e400}}';
  const batch = read(`{"transactions":[{"vehicle":{"metadata":${metadata}}}],"metadata":${metadata}}`);
  expect(batch.metadata).toBe(metadata);
  expect(readItem(batch.text, batch.items[0]!).textAt(["vehicle", "metadata"])).toBe(metadata);
});

test("reading 28: a body nested thousands deep costs no more than reading it, and only its deep part is cut", () => {
  const deep = "[".repeat(1_000_000) + "]".repeat(1_000_000);
  const batch = read(`{"transactions":[{"transactionId":"T","junk":${deep}}],"metadata":{"a":${deep}}}`);
  expect(batch.metadataProblem).toBe("too deep");
  expect(readItem(batch.text, batch.items[0]!).value).toMatchObject({ transactionId: "T" });
  expect(() => read(`{"transactions":${"[".repeat(2_000_000)}`)).toThrow(MalformedJson);
});

test("a batch above the maximum is counted, not kept", () => {
  const batch = read(JSON.stringify({ transactions: Array(501).fill(1) }));
  expect(batch).toMatchObject({ submitted: 501, items: [] });
});

test("reading 39: a missing, null or wrong array and wrong metadata are told apart", () => {
  expect(read("{}").array).toBe("missing");
  expect(read('{"transactions":null}').array).toBe("missing");
  expect(read('{"transactions":{}}').array).toBe("wrong type");
  expect(read('{"transactions":[],"metadata":[]}').metadataProblem).toBe("wrong type");
  expect(read('{"transactions":[],"metadata":null}').metadataProblem).toBeUndefined();
});

test("numbers that a double cannot hold keep their spelling", () => {
  const record = readObject(
    Buffer.from('{"a": 0.1000000000000000055511151231257827, "b":{"c":1e-7}, "d": 12.50}'),
  );
  expect(record.numberSpelling(["a"])).toBe("0.1000000000000000055511151231257827");
  expect(record.numberSpelling(["b", "c"])).toBe("1e-7");
  expect(readObject(Buffer.from('{"d": 12.50}')).numberSpelling(["d"])).toBeUndefined();
});
