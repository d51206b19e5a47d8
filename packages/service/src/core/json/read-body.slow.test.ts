import { MalformedJson } from "@gatehouse-parking/json-text";
import { expect, test } from "vitest";
import { readBatch, readItem, readLargeItem, readText } from "./read-body.js";

const read = (text: string, maxItems = 500) => readBatch(text, "transactions", maxItems);

/** @covers reading 27 */
test("a body that is not UTF-8 is refused", async () => {
  const bytes = Buffer.from('{"transactions":[{"transactionId":"\xe9"}]}', "latin1");
  expect(() => readText(bytes)).toThrow(MalformedJson);
});

/** @covers reading 28 */
test("metadata keeps digits, U+0000, surrogates and __proto__ exactly", async () => {
  const metadata =
    '{"big": 12345678901234567890.123456789012345678901234567890, "z":"\\u0000\\ud800","__proto__":{"a":1e400}}';
  const batch = await read(`{"transactions":[{"vehicle":{"metadata":${metadata}}}],"metadata":${metadata}}`);
  expect(batch.metadata).toBe(metadata);
  expect(readItem(batch.text, batch.items[0]!).textAt(["vehicle", "metadata"])).toBe(metadata);
});

const names = new Set(["transactionId", "metadata"]);

/** @covers reading 28 */
test("an invalid body nested a million levels deep takes no longer than reading it, and valid depths are reported", async () => {
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

/** @covers reading 39 */
test("a missing, null or invalid array and invalid metadata give different errors", async () => {
  expect((await read("{}")).array).toBe("missing");
  expect((await read('{"transactions":null}')).array).toBe("missing");
  expect((await read('{"transactions":{}}')).array).toBe("wrong type");
  expect(await read('{"transactions":{"a":1}}')).toMatchObject({ submitted: 0, items: [] });
  expect((await read('{"transactions":[],"metadata":[]}')).metadataProblem).toBe("wrong type");
  expect((await read('{"transactions":[],"metadata":null}')).metadataProblem).toBeUndefined();
});
