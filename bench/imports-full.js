/** An organization with two million stored transactions against a new one, on the same service and database. */
import { freshBatches, liftedLimits, sendBatches } from "./harness/batches.js";
import { createTenant } from "./harness/environment.js";
import { fillTransactions } from "./harness/fill.js";
import { median, summary } from "./harness/compare.js";

export const title = "importTransactions with 2,000,000 stored transactions against an empty organization";
export const goal = 0.85;

/** A batch of one record must not become slower than this many times. */
const maxSlowdownOfOne = 1.5;

export async function measure({ environment, rounds, isShort, onRound }) {
  const full = await createTenant(environment);
  const empty = await createTenant(environment);
  await fillTransactions(environment.connectionString, full, isShort ? 100_000 : 2_000_000);
  const service = await environment.startService(liftedLimits);
  const target = { url: service.url, caFile: environment.certificate.caFile };
  const batchesPerRound = isShort ? 10 : 40;

  for (const tenant of [empty, full]) {
    await sendBatches({ ...target, batches: freshBatches([tenant], batchesPerRound) });
  }
  const measured = [];
  for (let round = 0; round < rounds; round += 1) {
    const { rate: referenceRate } = await sendBatches({
      ...target,
      batches: freshBatches([empty], batchesPerRound),
    });
    const { rate: serviceRate } = await sendBatches({
      ...target,
      batches: freshBatches([full], batchesPerRound),
    });
    measured.push({ serviceRate, referenceRate, ratio: serviceRate / referenceRate });
    onRound?.(measured.at(-1));
  }
  const slowdownOfOne = (await secondsOfOne(target, full)) / (await secondsOfOne(target, empty));
  console.log(
    `  a batch of one record takes ${slowdownOfOne.toFixed(2)} times as long (at most ${maxSlowdownOfOne})`,
  );
  if (slowdownOfOne > maxSlowdownOfOne) throw new Error("A batch of one record became too slow");
  return { ...summary(measured), slowdownOfOne };
}

async function secondsOfOne(target, tenant) {
  const seconds = [];
  for (let time = 0; time < 100; time += 1) {
    const single = await sendBatches({ ...target, clients: 1, batches: freshBatches([tenant], 1, 1) });
    seconds.push(single.seconds);
  }
  return median(seconds);
}
