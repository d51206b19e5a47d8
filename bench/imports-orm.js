/** Imports, compared with a typical route: a loop over the records with ORM models in one transaction. */
import { freshBatches, liftedLimits, sendBatches } from "./harness/batches.js";
import { createTenants } from "./harness/environment.js";
import { repeat, summary } from "./harness/compare.js";

export const title = "importTransactions against a loop over the records with an ORM";
export const goal = 25;

/** @param {import("./harness/compare.js").Measurement} run */
export async function measure({ environment, rounds, isShort, onRound }) {
  const tenants = await createTenants(environment, 4);
  const service = await environment.startService(liftedLimits);
  const bare = await environment.startBare("imports-orm.js", {
    TENANTS: JSON.stringify(tenants.map(({ key, organizationUuid }) => [key, organizationUuid])),
  });
  const { caFile } = environment.certificate;
  const batchesPerRound = isShort ? 5 : 60;
  const rateOf = async (/** @type {string} */ url, /** @type {number} */ count) =>
    (await sendBatches({ url, caFile, batches: freshBatches(tenants, count) })).rate;

  await rateOf(service.url, batchesPerRound);
  await rateOf(bare.url, 4);
  const measured = await repeat({ rounds, onRound }, async () => {
    const serviceRate = await rateOf(service.url, batchesPerRound);
    const referenceRate = await rateOf(bare.url, 4);
    return { serviceRate, referenceRate, ratio: serviceRate / referenceRate };
  });
  return summary(measured);
}
