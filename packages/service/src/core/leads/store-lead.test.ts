import { createHash, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { storedLead } from "../../../testing/leads.js";
import { readLead } from "./read-lead.js";
import { transactionAtOnce } from "../database/pipeline.js";
import { leadInsert, type NewLead } from "./store-lead.js";

const gatehouse = useApp();

async function leadStore() {
  const { organizationId, locationUuid } = await gatehouse.tenant();
  const store = async (fields: object, more: Partial<NewLead> = {}) => {
    const insert = leadInsert({
      organizationId,
      apiKeyId: randomUUID(),
      lead: await readLead(Buffer.from(JSON.stringify({ locationUuid, ...fields })), undefined, null),
      state: "accepted",
      captcha: undefined,
      address: "203.0.113.9",
      userAgent: undefined,
      idempotencyKey: undefined,
      bodyHash: undefined,
      ...more,
    });
    await transactionAtOnce(gatehouse.database.work, [insert.statement]);
    return insert.stored;
  };
  return { organizationId, store };
}

test("a stored lead keeps its text, its JSON and its bytes exactly", async () => {
  const { organizationId, store } = await leadStore();
  const stored = [
    await store({ email: "a@example.com", notes: 'one\n"two"\\', metadata: { text: "\u0000 \ud800" } }),
    await store({ email: "b@example.com", estimatedStartDate: "0000-01-01" }, { state: "quarantined" }),
    await store(
      { email: "c@example.com" },
      {
        captcha: { type: "turnstile", result: { hostname: "example.com\u0000" } },
        idempotencyKey: "c",
        bodyHash: Buffer.from([0, 255]),
      },
    ),
  ];
  const rows = await Promise.all(
    stored.map((answer) => storedLead(gatehouse, organizationId, answer?.uuid ?? "")),
  );
  expect(rows).toEqual([
    expect.objectContaining({
      email: "a@example.com",
      notes: 'one\n"two"\\',
      metadata: String.raw`{"text":"\u0000 \ud800"}`,
      captcha_result: null,
      created_at: stored[0]?.createdAt,
    }),
    expect.objectContaining({
      email: "b@example.com",
      state: "quarantined",
      estimated_start_date: new Date("0000-01-01T00:00:00Z"),
      metadata: null,
    }),
    expect.objectContaining({
      email: "c@example.com",
      captcha_result: String.raw`{"hostname":"example.com\u0000"}`,
      idempotency_key: "c",
      body_hash: Buffer.from([0, 255]),
    }),
  ]);
});

test("a lead with an unknown location or a used Idempotency-Key is not stored", async () => {
  const { store } = await leadStore();
  const taken = { idempotencyKey: "taken", bodyHash: Buffer.from("lead") };
  expect(await store({ email: "a@example.com" }, taken)).toBeDefined();
  expect(await store({ email: "b@example.com" }, taken)).toBeUndefined();
  expect(await store({ email: "c@example.com", locationUuid: randomUUID() })).toBeUndefined();
});

test("the hash of a lead equals the one of the first release, whatever fields were added later", async () => {
  const body = { email: "a@example.com", locationUuid: randomUUID(), estimatedStartDate: "2026-04-01" };
  const lead = await readLead(Buffer.from(JSON.stringify({ ...body, metadata: { a: 1 } })), "key", null);
  const absent = { firstName: null, lastName: null, companyName: null, phone: null };
  const others = ["estimatedStartDateString", "source", "sourceDetails", "notes", "formName", "slug"];
  const hashed = {
    ...{ email: body.email, locationUuid: body.locationUuid, ...absent },
    estimatedStartDate: "2026-04-01T00:00:00.000Z",
    ...Object.fromEntries([...others, "referrerUrl"].map((name) => [name, null])),
  };
  const text = JSON.stringify([hashed, '{"a":1}']);
  expect(lead.hash()).toEqual(createHash("sha256").update(text).digest());
});
