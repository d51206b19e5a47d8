import { expect, test } from "vitest";
import { maxBodyBytes } from "@gatehouse-parking/contract";
import { useApp, type Answer } from "../../../../testing/harness.js";
import { importer, type Importer } from "../../../../testing/importer.js";

const gatehouse = useApp();
const resources = [
  { resource: "transactions", max: 500 },
  { resource: "accounts", max: 100 },
  { resource: "subscriptions", max: 100 },
] as const;

async function expectNothingStored(partner: Importer): Promise<void> {
  for (const table of ["import_runs", "import_exceptions", "transactions", "accounts", "subscriptions"]) {
    expect(await partner.count(table), table).toBe(0);
  }
}

function expectProblem(answer: Answer, errors: Record<string, string[]>, more: object = {}): void {
  expect(answer.status).toBe(400);
  expect(answer.headers["content-type"]).toContain("application/problem+json");
  expect(answer.json).toEqual({
    type: "about:blank",
    title: "The request is not valid",
    status: 400,
    errors,
    ...more,
  });
}

for (const { resource, max } of resources) {
  /** @covers R77, R78, R183, R185 */
  test(`${resource}: 1 and ${max} records are accepted, with or without metadata`, async () => {
    const partner = await importer(gatehouse);
    await partner.importAccounts({ tpReferenceId: "OWNER", name: "Owner" });
    const record = (index: number) =>
      resource === "transactions"
        ? partner.transaction(`T-${index}`)
        : { tpReferenceId: `R-${index}`, name: "Name", accountTPReferenceId: "OWNER" };
    const one = await partner.import(resource, [record(0)], { metadata: { file: 1 } });
    expect(one.successCount).toBe(1);
    const many = await partner.import(
      resource,
      Array.from({ length: max }, (_, index) => record(index)),
    );
    expect(many).toMatchObject({ totalSubmitted: max, successCount: max - 1, skippedCount: 1 });
  });

  /** @covers R191, reading 39 */
  test(`${resource}: an empty array is 400 with the single field error`, async () => {
    const partner = await importer(gatehouse);
    for (const body of [{ [resource]: [] }, { [resource]: [], metadata: { a: 1 } }]) {
      const answer = await partner.post(resource, body);
      expect(answer.status).toBe(400);
      expect(answer.headers["content-type"]).toContain("application/json");
      expect(answer.json).toEqual({ error: `${resource} must contain at least one record` });
    }
    await expectNothingStored(partner);
  });

  /** @covers R192, reading 39 */
  test(`${resource}: a missing or null array is 400 with problem details and an error`, async () => {
    const partner = await importer(gatehouse);
    const required = { [resource]: [`${resource} is required`] };
    for (const body of [{}, { [resource]: null }, { metadata: {} }, { [resource.toUpperCase()]: [1] }]) {
      expectProblem(await partner.post(resource, body), required, { error: `${resource} is required` });
    }
    await expectNothingStored(partner);
  });

  /** @covers reading 39 */
  test(`${resource}: an array or metadata of a wrong type is 400 with problem details`, async () => {
    const partner = await importer(gatehouse);
    for (const value of [{}, "text", 1, true, false]) {
      expectProblem(await partner.post(resource, { [resource]: value }), {
        [resource]: [`${resource} must be an array`],
      });
    }
    for (const metadata of [[], "text", 1, true, false]) {
      expectProblem(await partner.post(resource, { [resource]: [{}], metadata }), {
        metadata: ["metadata must be an object"],
      });
    }
    await expectNothingStored(partner);
  });

  /** @covers R194-R197 */
  test(`${resource}: ${max + 1} records are 413 with the numbers, and nothing is stored`, async () => {
    const partner = await importer(gatehouse);
    for (const submitted of [max + 1, max * 3]) {
      const records = Array.from({ length: submitted }, (_, index) => partner.transaction(`T-${index}`));
      const answer = await partner.post(resource, { [resource]: records });
      expect(answer.status).toBe(413);
      expect(answer.json).toEqual({
        error: `A request takes at most ${max} ${resource}`,
        submitted,
        max,
      });
    }
    await expectNothingStored(partner);
  });
}

const malformed: Record<string, string | Buffer> = {
  "an empty body": "",
  "only spaces": "  \n",
  "no JSON": "transactions",
  "an unfinished object": '{"transactions":[{"transactionId":"T-1"}]',
  "an unfinished string": '{"transactions":["T-1]}',
  "something behind": '{"transactions":[{}]} x',
  "two bodies": '{"transactions":[{}]}{"transactions":[{}]}',
  "a trailing comma": '{"transactions":[{},]}',
  "a trailing comma in a record": '{"transactions":[{"transactionId":"T-1",}]}',
  "a leading comma": '{"transactions":[,{}]}',
  "a missing comma": '{"transactions":[{} {}]}',
  "a missing colon": '{"transactions" [{}]}',
  "an unquoted name": "{transactions:[{}]}",
  "single quotes": "{'transactions':[{}]}",
  "a comment": '{"transactions":[{}] /* all */}',
  NaN: '{"transactions":[{"amountTotal":NaN}]}',
  "a leading zero": '{"transactions":[{"amountTotal":012}]}',
  "a lone minus": '{"transactions":[{"amountTotal":-}]}',
  "a point without digits": '{"transactions":[{"amountTotal":1.}]}',
  "a bad escape": '{"transactions":[{"transactionId":"\\x41"}]}',
  "half an escape": '{"transactions":[{"transactionId":"\\u12"}]}',
  "a raw control character": '{"transactions":[{"transactionId":"a\u0001"}]}',
  "a raw line break in a name": '{"transactions":[{"a\nb":1}]}',
  "mixed brackets": '{"transactions":[{"metadata":{"a":[1}]}}]}',
  "a byte order mark": '\ufeff{"transactions":[{}]}',
  "malformed metadata of the batch": '{"transactions":[{}],"metadata":{"a":tru}}',
  "a malformed unknown field": '{"transactions":[{}],"other":[1,]}',
  "a malformed record beyond the maximum": `{"transactions":[${"{},".repeat(600)}{"a":}]}`,
  "an error deep inside metadata": `{"transactions":[{"metadata":${'{"a":'.repeat(70)}tru${"}".repeat(70)}}]}`,
  "an error deep inside an unknown field": `{"transactions":[{}],"x":${"[".repeat(2_000)}1 2${"]".repeat(2_000)}}`,
  "mixed brackets deep inside": `{"transactions":[{}],"x":${"[".repeat(2_000)}${"}".repeat(2_000)}}`,
  "bytes that are not UTF-8": Buffer.from('{"transactions":[{"transactionId":"\xe9"}]}', "latin1"),
  "UTF-16": Buffer.from('{"transactions":[{}]}', "utf16le"),
  "an encoded surrogate": Buffer.from('{"transactions":[{"transactionId":"\xed\xa0\x80"}]}', "latin1"),
};
for (const [what, body] of Object.entries(malformed)) {
  /** @covers R193, reading 27, reading 39 */
  test(`malformed JSON is 400 with problem details and stores nothing: ${what}`, async () => {
    const partner = await importer(gatehouse);
    const answer = await partner.post("transactions", body);
    expectProblem(answer, { $: [expect.any(String)] });
    await expectNothingStored(partner);
  });
}

/** @covers reading 39 */
test("a body that is not an object is 400 with problem details", async () => {
  const partner = await importer(gatehouse);
  for (const body of ["[]", "null", "1", '"transactions"', "true", '[{"transactions":[{}]}]']) {
    expectProblem(await partner.post("transactions", body), { $: ["The body must be an object"] });
  }
});

test("the last value of a duplicate name counts, as in JSON.parse", async () => {
  const partner = await importer(gatehouse);
  const record = JSON.stringify(partner.transaction("T-1"));
  const twice = await partner.post(
    "transactions",
    `{"metadata":[],"transactions":7,"transactions":[${record}],"metadata":{"a":1}}`,
  );
  expect(twice.json).toMatchObject({ status: 1, totalSubmitted: 1 });
  const empty = await partner.post("transactions", `{"transactions":[${record}],"transactions":[]}`);
  expect(empty.json).toEqual({ error: "transactions must contain at least one record" });
});

/** A valid body of exactly this many bytes. */
function bodyOf(partner: Importer, bytes: number, id: string): string {
  const record = JSON.stringify(partner.transaction(id));
  const body = `{"transactions":[${record}],"padding":""}`;
  return body.replace('"padding":""', `"padding":"${"x".repeat(bytes - body.length)}"`);
}

/** @covers R198, reading 40 */
test("5 x 1024 x 1024 bytes are accepted; one more is 413 with an empty body", async () => {
  const partner = await importer(gatehouse);
  const largest = await partner.post("transactions", bodyOf(partner, maxBodyBytes, "T-1"));
  expect(largest.status).toBe(200);
  const larger = await partner.post("transactions", bodyOf(partner, maxBodyBytes + 1, "T-2"));
  expect(larger.status).toBe(413);
  expect(larger.text).toBe("");
  expect(await partner.count("transactions")).toBe(1);
});
