import { randomUUID } from "node:crypto";
import { afterEach, expect, test, vi } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { storedLead } from "../../../testing/leads.js";
import { noTracer } from "../telemetry/tracer.js";
import { readLead } from "./read-lead.js";
import { storeTogether } from "./store-together.js";
import type { NewLead } from "./store-leads.js";

const gatehouse = useApp();

afterEach(() => {
  vi.restoreAllMocks();
});

/** An organization's leads on their way to the database, and the statements that take them there. */
async function organizationWithLeads() {
  const { organizationId, locationUuid } = await gatehouse.tenant();
  const pool = gatehouse.database.work;
  const statements = vi.spyOn(pool, "query");
  const lead = async (fields: object, more: Partial<NewLead> = {}): Promise<NewLead> => ({
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
  return { organizationId, store: storeTogether(pool, noTracer), statements, lead };
}

test("leads of one organization that arrive together take one statement, and each keeps its own fields", async () => {
  const { organizationId, store, statements, lead } = await organizationWithLeads();
  const leads = [
    await lead({ email: "a@example.com", notes: 'one\n"two"\\', metadata: { text: "\u0000 \ud800" } }),
    await lead({ email: "b@example.com", estimatedStartDate: "0000-01-01" }, { state: "quarantined" }),
    await lead(
      { email: "c@example.com" },
      {
        captcha: { type: "turnstile", result: { hostname: "example.com\u0000" } },
        idempotencyKey: "c",
        bodyHash: Buffer.from([0, 255]),
      },
    ),
  ];
  const stored = await Promise.all(leads.map(store));
  expect(statements).toHaveBeenCalledOnce();
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

test("a location of somebody else and a taken Idempotency-Key cost nobody beside them their lead", async () => {
  const { store, statements, lead } = await organizationWithLeads();
  const taken = { idempotencyKey: "taken", bodyHash: Buffer.from("lead") };
  await store(await lead({ email: "first@example.com" }, taken));
  const stored = await Promise.all(
    [
      await lead({ email: "a@example.com" }),
      await lead({ email: "b@example.com", locationUuid: randomUUID() }),
      await lead({ email: "c@example.com" }, taken),
      await lead({ email: "d@example.com" }),
    ].map(store),
  );
  expect(stored.map((answer) => answer !== undefined)).toEqual([true, false, false, true]);
  expect(statements).toHaveBeenCalledTimes(2);
});

test("what the database refuses in one lead, it refuses for that lead alone", async () => {
  const { organizationId, store, lead } = await organizationWithLeads();
  await gatehouse.database.console.query(
    "alter table leads add constraint no_poison check (email <> 'poison@example.com')",
  );
  const outcomes = await Promise.allSettled(
    [
      await lead({ email: "a@example.com" }),
      await lead({ email: "poison@example.com" }),
      await lead({ email: "b@example.com" }),
    ].map(store),
  );
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  const { rows } = await gatehouse.database.console.query(
    "select email from leads where organization_id = $1 order by email",
    [organizationId],
  );
  expect(rows.map(({ email }) => email)).toEqual(["a@example.com", "b@example.com"]);
});
