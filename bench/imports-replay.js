/** Resending batches, all Skipped, compared with creating them. */
import { freshBatches, liftedLimits, sendBatches } from "./harness/batches.js";
import { createTenants } from "./harness/environment.js";
import { repeat, summary } from "./harness/compare.js";

export const title = "replay of whole batches, all Skipped, against creating them";
export const goal = 3;
/** So far from the goal that a busy machine cannot explain it. */
export const leastInShort = goal / 2;

/** @param {import("./harness/compare.js").Measurement} run */
export async function measure({ environment, rounds, isShort, onRound }) {
  const tenants = await createTenants(environment, 4);
  const service = await environment.startService(liftedLimits);
  const target = { url: service.url, caFile: environment.certificate.caFile };
  const batchesPerRound = isShort ? 5 : 60;

  await sendBatches({ ...target, batches: freshBatches(tenants, batchesPerRound) });
  const measured = await repeat({ rounds, onRound }, async () => {
    const batches = freshBatches(tenants, batchesPerRound);
    const { rate: referenceRate } = await sendBatches({ ...target, batches });
    // Three times, so that both take about the same time.
    const replays = [...batches, ...batches, ...batches];
    const { rate: serviceRate, answers } = await sendBatches({ ...target, batches: replays });
    if (answers.some((answer) => answer.skippedCount !== answer.totalSubmitted))
      throw new Error("Not all records were Skipped");
    return { serviceRate, referenceRate, ratio: serviceRate / referenceRate };
  });
  return summary(measured);
}
