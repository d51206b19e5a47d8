import { expect, test } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { importer, type Importer } from "../../../testing/importer.js";

const gatehouse = useApp();

/** All the JSON that a parser, a database or JavaScript could alter. */
const awkward: Record<string, string> = {
  "64-bit integers": '{"max":9223372036854775807,"min":-9223372036854775808,"beyond":18446744073709551616}',
  "30-digit decimals": '{"d":123456789012345.678901234567890,"t":0.100000000000000000000000000001,"z":1.50}',
  "numbers beyond a double": '{"big":1e400,"small":-1E-400,"zero":-0.0,"exponent":1e+05}',
  __proto__: '{"__proto__":{"admin":true},"constructor":{"prototype":{"x":1}},"toString":null}',
  "U+0000": '{"nul":"a\\u0000b","\\u0000":1}',
  "lone surrogates": '{"high":"\\ud800","low":"\\uDC00x","swapped":"\\udc00\\ud800","\\ud83d":0}',
  "pairs, escaped and not": '{"escaped":"\\ud83d\\ude00","plain":"😀","slash":"\\/","tab":"\\t"}',
  "spacing, order and duplicate names": '{ "b" : 1 ,\n\t"a":[ ], "b":2,"":{}, "\\u0061": 3 }',
  "COPY's own signs": '{"n":"\\\\N","end":"\\\\.","tab":"\\\\t","real":"\t"}'.replace("\t", "\\t"),
  "an empty object": "{}",
  "every kind of value": '{"null":null,"true":true,"false":false,"list":[1,[2,[3]],{}],"text":""}',
};

async function stored(partner: Importer, table: string): Promise<(string | null)[]> {
  return (await partner.rows(table)).map((row) => row["metadata"]);
}

const withMetadata = (record: object, metadata: string) =>
  `${JSON.stringify(record).slice(0, -1)},"metadata":${metadata}}`;

for (const [what, metadata] of Object.entries(awkward)) {
  /** @covers R73, R100, R101, R150, R158, R167, R182, reading 28 */
  test(`metadata is returned exactly as sent, on every object: ${what}`, async () => {
    const partner = await importer(gatehouse);
    const nested = [
      `"account":${withMetadata({ tpReferenceId: "A-1", name: "Acme" }, metadata)}`,
      `"contact":${withMetadata({ email: "jo@example.com" }, metadata)}`,
      `"vehicle":${withMetadata({ licensePlate: "ABC 123" }, metadata)}`,
      `"subscription":${withMetadata({ tpReferenceId: "S-1" }, metadata)}`,
    ];
    const record = `${withMetadata(partner.transaction("T-1"), metadata).slice(0, -1)},${nested.join(",")}}`;
    const answer = await partner.post("transactions", `{"metadata":${metadata},"transactions":[${record}]}`);
    expect(answer.json).toMatchObject({ status: 1, successCount: 1 });
    for (const table of [
      "import_runs",
      "transactions",
      "accounts",
      "contacts",
      "vehicles",
      "subscriptions",
    ]) {
      expect(await stored(partner, table), table).toEqual([metadata]);
    }
    await partner.post(
      "accounts",
      `{"accounts":[${withMetadata({ tpReferenceId: "A-2", name: "B" }, metadata)}]}`,
    );
    await partner.post(
      "subscriptions",
      `{"subscriptions":[${withMetadata({ tpReferenceId: "S-2", accountTPReferenceId: "A-2" }, metadata)}]}`,
    );
    expect((await stored(partner, "accounts"))[1]).toBe(metadata);
    expect((await stored(partner, "subscriptions"))[1]).toBe(metadata);
    expect(({} as Record<string, unknown>)["admin"], "the prototype is unchanged").toBeUndefined();
  });
}

/** @covers R74 */
test("the batch's metadata is stored with the run, and the record's with the record", async () => {
  const partner = await importer(gatehouse);
  await partner.import(
    "transactions",
    [partner.transaction("T-1"), partner.transaction("T-2", { metadata: { own: 1 } })],
    {
      metadata: { batch: 1 },
    },
  );
  expect(await stored(partner, "import_runs")).toEqual(['{"batch":1}']);
  expect(await stored(partner, "transactions")).toEqual([null, '{"own":1}']);
});

/** @covers R73 */
test("the metadata of a batch is optional, null counts as absent, and a Failed run stores it too", async () => {
  const partner = await importer(gatehouse);
  await partner.import("transactions", [partner.transaction("T-1")]);
  await partner.import("transactions", [partner.transaction("T-1")], { metadata: null });
  await partner.import("transactions", [{}], { metadata: { file: "bad" } });
  expect(await stored(partner, "import_runs")).toEqual([null, null, '{"file":"bad"}']);
});

/** @covers reading 28 */
test("metadata that is not an object is Failed 5, on every object", async () => {
  const partner = await importer(gatehouse);
  await partner.importAccounts({ tpReferenceId: "OWNER", name: "Owner" });
  for (const metadata of [[], "text", 1, true]) {
    const cases: [string, object][] = [
      ["metadata", { metadata }],
      ["account.metadata", { account: { tpReferenceId: "A-1", name: "Acme", metadata } }],
      ["contact.metadata", { contact: { email: "jo@example.com", metadata } }],
      ["vehicle.metadata", { vehicle: { licensePlate: "ABC", metadata } }],
      ["subscription.metadata", { subscription: { tpReferenceId: "S-1", metadata } }],
    ];
    for (const [path, fields] of cases) {
      expect(await partner.outcomeOf(fields)).toMatchObject({
        reasonCode: 5,
        errorDetail: `${path} must be an object`,
      });
    }
    const expected = { reasonCode: 5, errorDetail: "metadata must be an object" };
    expect(await partner.outcome("accounts", { tpReferenceId: "A-1", name: "A", metadata })).toMatchObject(
      expected,
    );
    expect(
      await partner.outcome("subscriptions", {
        tpReferenceId: "S-1",
        accountTPReferenceId: "OWNER",
        metadata,
      }),
    ).toMatchObject(expected);
  }
});

const nest = (levels: number, open = '{"a":', close = "}") =>
  `${open.repeat(levels - 1)}{}${close.repeat(levels - 1)}`;
const nestLists = (levels: number) => `{"a":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`;

/** @covers reading 28 */
test("metadata may nest 64 levels; deeper metadata is Failed 5 in a record and 400 in a batch", async () => {
  const partner = await importer(gatehouse);
  const records = [
    [64, nest(64), "metadata"],
    [64, nestLists(64), "metadata"],
    [65, nest(65), "metadata"],
    [65, nestLists(65), "metadata"],
    [66, nest(66), "metadata"],
    [70, nest(70), "metadata"],
    [100_000, nest(100_000), "metadata"],
    [64, nest(64), "vehicle"],
    [65, nest(65), "vehicle"],
    [66, nest(66), "vehicle"],
    [67, nestLists(67), "vehicle"],
    [100_000, nestLists(100_000), "vehicle"],
  ] as const;
  const body = records.map(([, metadata, where], index) => {
    const record = partner.transaction(`T-${index}`);
    if (where === "metadata") return withMetadata(record, metadata);
    const vehicle = withMetadata({ licensePlate: `ABC ${index}` }, metadata);
    return `${JSON.stringify(record).slice(0, -1)},"vehicle":${vehicle}}`;
  });
  const answer = await partner.post("transactions", `{"transactions":[${body.join(",")}]}`);
  for (const [index, [levels, , where]] of records.entries()) {
    expect(answer.json.results[index], `${where} ${levels}`).toMatchObject(
      levels <= 64
        ? { status: 1 }
        : {
            reasonCode: 5,
            errorDetail: `${where === "vehicle" ? "vehicle." : ""}metadata must not be nested deeper than 64 levels`,
          },
    );
  }
  expect(await stored(partner, "transactions")).toEqual([nest(64), nestLists(64), null]);
  expect(await stored(partner, "vehicles")).toEqual([nest(64)]);

  const one = JSON.stringify(partner.transaction("T-99"));
  const within = await partner.post("transactions", `{"transactions":[${one}],"metadata":${nest(64)}}`);
  expect(within.status).toBe(200);
  const beyond = await partner.post("transactions", `{"transactions":[${one}],"metadata":${nest(65)}}`);
  expect(beyond.status).toBe(400);
  expect(beyond.headers["content-type"]).toContain("application/problem+json");
  expect(beyond.json.errors).toEqual({ metadata: ["metadata must not be nested deeper than 64 levels"] });
});

/** @covers reading 28 */
test("unknown fields are ignored at any depth, and metadata next to them is stored", async () => {
  const partner = await importer(gatehouse);
  const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
  const metadata = '{"exact":1.500000000000000000000}';
  const record = withMetadata(
    { ...partner.transaction("T-1"), before: "DEEP", vehicle: { licensePlate: "A", junk: "DEEP" } },
    metadata,
  );
  const body = `{"junk":${deep},"transactions":[${record.replaceAll('"DEEP"', deep)}]}`;
  const answer = await partner.post("transactions", body);
  expect(answer.json).toMatchObject({ status: 1, successCount: 1 });
  expect(await stored(partner, "transactions")).toEqual([metadata]);
});

test("fields under __proto__ are unknown fields, in records of any size and in leads", async () => {
  const partner = await importer(gatehouse);
  const whole = JSON.stringify(partner.transaction("T-1"));
  const missing =
    "transactionId is required; locationUuid is required; type is required; transactionDate is required";
  for (const filler of ["x", "x".repeat(500_000)]) {
    const record = `{"__proto__":${whole},"filler":"${filler}"}`;
    const { json } = await partner.post("transactions", `{"transactions":[${record}]}`);
    expect(json.results).toEqual([{ reference: "", status: 4, reasonCode: 4, errorDetail: missing }]);
  }
  const envelope = await partner.post("transactions", `{"__proto__":{"transactions":[${whole}]}}`);
  expect(envelope.json.error).toBe("transactions is required");

  const lead = `{"email":"jo@example.com","locationUuid":"${partner.locationUuid}"}`;
  const { json } = await gatehouse.post("/lead/submit", partner.apiKey, `{"__proto__":${lead}}`);
  expect(json.errors).toEqual(["email is required", "locationUuid is required"]);
});
