/** The whole way over HTTPS against PostgreSQL's own COPY of the same rows. */
import { median } from "./harness/compare.js";
import { openCopyReference } from "./harness/copy-reference.js";
import { freshBatches, liftedLimits, sendBatches } from "./harness/batches.js";
import { createTenant } from "./harness/environment.js";

export const title = "importTransactions, 500 records a batch, 4 clients, against COPY of the same rows";
export const goal = 0.5;

const clients = 4;

export async function measure({ environment, rounds, isShort, onRound }) {
  const tenants = [];
  for (let index = 0; index < clients; index += 1) tenants.push(await createTenant(environment));
  const service = await environment.startService(liftedLimits);
  const target = { url: service.url, caFile: environment.certificate.caFile, clients };
  const reference = await openCopyReference(environment.connectionString);
  const batchesPerRound = isShort ? 5 : 60;

  // Just-in-time compilation settles after some tens of batches.
  await sendBatches({ ...target, batches: freshBatches(tenants, batchesPerRound) });
  const measured = [];
  for (let round = 0; round < rounds; round += 1) {
    const { rate, answers } = await sendBatches({
      ...target,
      batches: freshBatches(tenants, batchesPerRound),
    });
    const referenceRate = await reference.load(answers);
    measured.push({ serviceRate: rate, referenceRate, ratio: rate / referenceRate });
    onRound?.(measured.at(-1));
  }
  await reference.close();
  return summary(measured);
}

export function summary(measured) {
  return {
    ratio: median(measured.map((round) => round.ratio)),
    serviceRate: median(measured.map((round) => round.serviceRate)),
    referenceRate: median(measured.map((round) => round.referenceRate)),
    rounds: measured,
  };
}
