/** Against a route written the usual way: a loop over the records with the models of an ORM, in one transaction. */
import { freshBatches, liftedLimits, sendBatches } from "./harness/batches.js";
import { createTenant } from "./harness/environment.js";
import { summary } from "./harness/compare.js";

export const title = "importTransactions against a loop over the records with an ORM";
export const goal = 25;

export async function measure({ environment, rounds, isShort, onRound }) {
  const tenants = [];
  for (let index = 0; index < 4; index += 1) tenants.push(await createTenant(environment));
  const service = await environment.startService(liftedLimits);
  const bare = await environment.startBare("imports-orm.js", {
    TENANTS: JSON.stringify(tenants.map(({ key, organizationUuid }) => [key, organizationUuid])),
  });
  const { caFile } = environment.certificate;
  const batchesPerRound = isShort ? 5 : 60;
  const rateOf = async (url, count) =>
    (await sendBatches({ url, caFile, batches: freshBatches(tenants, count) })).rate;

  await rateOf(service.url, batchesPerRound);
  await rateOf(bare.url, 4);
  const measured = [];
  for (let round = 0; round < rounds; round += 1) {
    const serviceRate = await rateOf(service.url, batchesPerRound);
    const referenceRate = await rateOf(bare.url, 4);
    measured.push({ serviceRate, referenceRate, ratio: serviceRate / referenceRate });
    onRound?.(measured.at(-1));
  }
  return summary(measured);
}
