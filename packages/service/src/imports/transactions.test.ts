import { expect, test } from "vitest";
import { useApp } from "../../testing/harness.js";

const gatehouse = useApp();
const path = "/integrations/transactions";

test("R137 a bootstrap record creates all four related entities; its replay is Skipped and creates nothing", async () => {
  const { apiKey, locationUuid } = await gatehouse.tenant();
  const body = {
    metadata: { file: "day-1" },
    transactions: [
      {
        transactionId: "T-1",
        locationUuid,
        type: 1,
        transactionDate: "2026-04-01T03:30:00Z",
        amountTotal: 12.5,
        metadata: { gate: "N" },
        account: { tpReferenceId: "A-1", name: "Acme" },
        contact: { email: "Jo@Example.com", phoneNumber: "+1-5550100123" },
        vehicle: { licensePlate: "abc 123" },
        subscription: { tpReferenceId: "S-1" },
      },
    ],
  };
  const first = await gatehouse.post(path, apiKey, body);
  expect(first.json).toMatchObject({
    resource: 1,
    status: 1,
    totalSubmitted: 1,
    successCount: 1,
    createdEntities: { accounts: 1, contacts: 1, vehicles: 1, subscriptions: 1 },
    results: [{ reference: "T-1", status: 1 }],
  });
  const second = await gatehouse.post(path, apiKey, body);
  expect(second.json).toMatchObject({
    status: 1,
    skippedCount: 1,
    createdEntities: { accounts: 0, contacts: 0, vehicles: 0, subscriptions: 0 },
    results: [{ reference: "T-1", status: 3, uuid: first.json.results[0].uuid, reasonCode: 1 }],
  });
  const later = await gatehouse.send({
    method: "GET",
    url: `/integrations/imports/${first.json.referenceUuid}`,
    key: apiKey,
  });
  expect(later.json).toEqual(first.json);
});
