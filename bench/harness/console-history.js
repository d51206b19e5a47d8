/** What an organization has behind it, brought in by the public operations as partners and web sites would. */
import { makeBatch, recordsPerBatch, sendAll, sendBatches } from "./batches.js";

/** A small run brings one record that is new, one that is not and one that cannot be. */
const brokenRecord = { transactionId: "BROKEN", type: 9 };

/** Returns what can stand in the place of any parameter of the console's addresses. */
export async function fillHistory(target, tenant, { batches, smallRuns, leads }) {
  const { key, locationUuids, organizationUuid, keyUuid } = tenant;
  const locationOf = (index) => locationUuids[index % locationUuids.length];
  const large = await sendBatches({
    ...target,
    batches: Array.from({ length: batches }, (_, index) => ({ key, body: makeBatch(locationOf(index)) })),
  });
  let known = JSON.parse(makeBatch(locationOf(0), 1)).transactions[0];
  await sendBatches({
    ...target,
    mayFail: true,
    batches: Array.from({ length: smallRuns }, (_, index) => {
      const { transactions } = JSON.parse(makeBatch(locationOf(index), 1));
      const body = JSON.stringify({
        transactions: [...transactions, { ...known, amountTotal: index }, brokenRecord],
      });
      [known] = transactions;
      return { key, body };
    }),
  });
  const leadAnswers = await sendAll({
    ...target,
    path: "/lead/submit",
    batches: Array.from({ length: leads }, (_, index) => ({ key, body: makeLead(locationOf(index), index) })),
  });

  const now = new Date();
  return {
    organizationUuid,
    keyUuid,
    locationUuid: locationUuids[0],
    referenceUuid: large.answers[0].referenceUuid,
    kind: "transactions",
    recordUuid: large.answers[0].results[recordsPerBatch - 1].uuid,
    leadUuid: leadAnswers.answers[0].leadUuid,
    text: "P",
    localDate: "2026-01-01",
    monthAgo: new Date(now.getTime() - 30 * 86_400_000).toISOString(),
    now: now.toISOString(),
  };
}

/** Every third person asks again. */
function makeLead(locationUuid, index) {
  return JSON.stringify({
    email: `person-${index - (index % 3)}@example.com`,
    locationUuid,
    firstName: "Jo",
    lastName: "Doe",
    companyName: "Acme Logistics",
    notes: "Two spaces near the entrance, please.",
    metadata: { seats: 2 },
  });
}
