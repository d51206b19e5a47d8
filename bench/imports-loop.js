/** Against a route with a loop over the records, each with its own hand-written statements, in one transaction. */
import { freshBatches, liftedLimits, sendBatches } from "./harness/batches.js";
import { createTenant } from "./harness/environment.js";
import { summary } from "./harness/compare.js";

export const title = "importTransactions against a loop of hand-written statements for each record";
export const goal = 6;

export const measure = (options) => measureAgainstRoute("imports-loop.js", options);

/** `file`: the route, in bench/bare. */
export async function measureAgainstRoute(file, { environment, rounds, isShort, onRound }) {
  const tenants = [];
  for (let index = 0; index < 4; index += 1) tenants.push(await createTenant(environment));
  const service = await environment.startService(liftedLimits);
  const bare = await environment.startBare(file, {
    TENANTS: JSON.stringify(tenants.map(({ key, organizationUuid }) => [key, organizationUuid])),
  });
  const { caFile } = environment.certificate;
  const batchesPerRound = isShort ? 5 : 60;

  await sendBatches({ url: service.url, caFile, batches: freshBatches(tenants, batchesPerRound) });
  await sendBatches({ url: bare.url, caFile, batches: freshBatches(tenants, 4) });
  const measured = [];
  for (let round = 0; round < rounds; round += 1) {
    const { rate } = await sendBatches({
      url: service.url,
      caFile,
      batches: freshBatches(tenants, batchesPerRound),
    });
    const { rate: referenceRate } = await sendBatches({
      url: bare.url,
      caFile,
      batches: freshBatches(tenants, 4),
    });
    measured.push({ serviceRate: rate, referenceRate, ratio: rate / referenceRate });
    onRound?.(measured.at(-1));
  }
  return summary(measured);
}
