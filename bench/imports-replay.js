/** Sending batches a second time, all Skipped, against creating them. */
import { freshBatches, liftedLimits, sendBatches } from "./harness/batches.js";
import { createTenant } from "./harness/environment.js";
import { summary } from "./harness/compare.js";

export const title = "replay of whole batches, all Skipped, against creating them";
export const goal = 3;

export async function measure({ environment, rounds, isShort, onRound }) {
  const tenants = [];
  for (let index = 0; index < 4; index += 1) tenants.push(await createTenant(environment));
  const service = await environment.startService(liftedLimits);
  const target = { url: service.url, caFile: environment.certificate.caFile };
  const batchesPerRound = isShort ? 5 : 60;

  await sendBatches({ ...target, batches: freshBatches(tenants, batchesPerRound) });
  const measured = [];
  for (let round = 0; round < rounds; round += 1) {
    const batches = freshBatches(tenants, batchesPerRound);
    const { rate: referenceRate } = await sendBatches({ ...target, batches });
    // Three times, so that both take about as long.
    const replays = [...batches, ...batches, ...batches];
    const { rate: serviceRate, answers } = await sendBatches({ ...target, batches: replays });
    if (answers.some((answer) => answer.skippedCount !== answer.totalSubmitted))
      throw new Error("Not all were Skipped");
    measured.push({ serviceRate, referenceRate, ratio: serviceRate / referenceRate });
    onRound?.(measured.at(-1));
  }
  return summary(measured);
}
