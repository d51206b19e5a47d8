/** The history of an organization, created with the public operations like partners and websites do. */
import { makeBatch, sendAll, sendBatches } from "./batches.js";
import { inTurn } from "./environment.js";

/** A small run has one new record, one existing record and one invalid record. */
const brokenRecord = { transactionId: "BROKEN", type: 9 };

/**
 * Returns a value for every path parameter of the console.
 * @param {import("./batches.js").Target} target
 * @param {import("./environment.js").Tenant} tenant
 * @param {{ batches: number, smallRuns: number, leads: number }} amounts
 * @returns {Promise<Record<string, string>>}
 */
export async function fillHistory(target, tenant, { batches, smallRuns, leads }) {
  const { key, locationUuids, organizationUuid, keyUuid } = tenant;
  const locationOf = inTurn(locationUuids);
  const large = await sendBatches({
    ...target,
    batches: Array.from({ length: batches }, () => ({ key, body: makeBatch(locationOf()) })),
  });
  let known = JSON.parse(makeBatch(locationOf(), 1)).transactions[0];
  await sendBatches({
    ...target,
    mayFail: true,
    batches: Array.from({ length: smallRuns }, (_, index) => {
      const { transactions } = JSON.parse(makeBatch(locationOf(), 1));
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
    batches: Array.from({ length: leads }, (_, index) => ({ key, body: makeLead(locationOf(), index) })),
  });

  const [firstAnswer] = large.answers;
  const lastResult = firstAnswer?.results.at(-1);
  if (!firstAnswer || !lastResult) throw new Error("No batch was sent");
  const now = new Date();
  return {
    organizationUuid,
    keyUuid,
    locationUuid: locationUuids[0],
    referenceUuid: firstAnswer.referenceUuid,
    kind: "transactions",
    recordUuid: lastResult.uuid,
    leadUuid: leadAnswers.answers[0].leadUuid,
    text: "P",
    localDate: "2026-01-01",
    monthAgo: new Date(now.getTime() - 30 * 86_400_000).toISOString(),
    now: now.toISOString(),
  };
}

/**
 * Every third person sends a second lead.
 * @param {string} locationUuid
 * @param {number} index
 */
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
