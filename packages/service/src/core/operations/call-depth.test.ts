import { randomUUID } from "node:crypto";
import type { InjectOptions } from "fastify";
import { expect, test } from "vitest";
import { callsToFirstStatement } from "../../../testing/call-depth.js";
import { useApp, type Tenant } from "../../../testing/harness.js";
import { configureOrganization } from "../organizations/configure-organization.js";

const gatehouse = useApp();

interface Operation {
  what: string;
  maxCalls: number;
  settings?: object;
  request: (tenant: Tenant) => InjectOptions;
}

const lead = ({ locationUuid }: Tenant, headers: Record<string, string> = {}): InjectOptions => ({
  method: "POST",
  url: "/lead/submit",
  headers: { "content-type": "application/json", ...headers },
  payload: JSON.stringify({ email: "jo@example.com", locationUuid }),
});
const captcha = { captchaType: "turnstile", captchaSecret: "secret" };

const batch = (url: string, count: number): ((tenant: Tenant) => InjectOptions) => {
  return ({ locationUuid }) => ({
    method: "POST",
    url,
    headers: { "content-type": "application/json" },
    payload: JSON.stringify({
      transactions: Array.from({ length: count }, (_none, index) => ({
        transactionId: `T-${index}`,
        type: 0,
        locationUuid,
        startTime: "2026-05-04T08:00:00Z",
        endTime: "2026-05-04T09:00:00Z",
        totalAmount: 12.5,
      })),
    }),
  });
};
const transactionsUrl = "/integrations/transactions";

// From the route's handler to the first statement, including both.
const operations: Operation[] = [
  { what: "a lead", maxCalls: 3, request: (tenant) => lead(tenant) },
  {
    what: "a lead with an Idempotency-Key",
    maxCalls: 3,
    request: (tenant) => lead(tenant, { "idempotency-key": randomUUID() }),
  },
  { what: "a lead with a captcha", maxCalls: 3, settings: captcha, request: (tenant) => lead(tenant) },
  {
    what: "a lead with a daily quota",
    maxCalls: 3,
    settings: { quotas: { leadsPerDay: 10 } },
    request: (tenant) => lead(tenant),
  },
  {
    what: "a lead with a storage quota",
    maxCalls: 3,
    settings: { quotas: { storageBytes: 1_000_000 } },
    request: (tenant) => lead(tenant),
  },
  {
    what: "a list of locations",
    maxCalls: 3,
    request: () => ({ url: "/integrations/locations?query=main" }),
  },
  // The first statement of a larger batch looks up replays, before the transaction.
  { what: "an import of one record", maxCalls: 6, request: batch(transactionsUrl, 1) },
  { what: "an import of two records", maxCalls: 6, request: batch(transactionsUrl, 2) },
  { what: "a validation of one record", maxCalls: 6, request: batch(`${transactionsUrl}/validate`, 1) },
  { what: "a validation of two records", maxCalls: 6, request: batch(`${transactionsUrl}/validate`, 2) },
];

test.each(operations)(
  "$what takes at most $maxCalls calls from the route's handler to the first statement",
  async ({ maxCalls, settings, request }) => {
    const tenant = await gatehouse.tenant();
    if (settings)
      await configureOrganization(gatehouse.database.work, async () => Buffer.alloc(32, 7), {
        organizationId: tenant.organizationId,
        actor: "test",
        ...settings,
      });
    const calls = await callsToFirstStatement(() =>
      gatehouse.send({ ...request(tenant), key: tenant.apiKey }),
    );
    expect(calls.length, calls.join("\n")).toBeLessThanOrEqual(maxCalls);
  },
);
