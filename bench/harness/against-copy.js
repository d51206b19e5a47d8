/** The whole way over HTTPS against PostgreSQL's own COPY of the same rows. */
import pg from "pg";
import { freshBatches, liftedLimits, sendBatches } from "./batches.js";
import { median, summary } from "./compare.js";
import { openCopyReference } from "./copy-reference.js";
import { readCosts } from "./costs.js";
import { createTenant } from "./environment.js";

/** A client has an organization of its own, because the imports of one go one after the other. */
export function againstCopy({ clients, onlyKeys }) {
  return async ({ environment, rounds, isShort, onRound }) => {
    const tenants = [];
    for (let index = 0; index < clients; index += 1) tenants.push(await createTenant(environment));
    const service = await environment.startService(liftedLimits);
    const target = { url: service.url, caFile: environment.certificate.caFile, clients };
    const reference = await openCopyReference(environment.connectionString, { onlyKeys });
    const costs = new pg.Client({ connectionString: environment.connectionString });
    await costs.connect();
    const batchesPerRound = isShort ? 5 : 60;

    // Just-in-time compilation settles after some tens of batches.
    await sendBatches({ ...target, batches: freshBatches(tenants, batchesPerRound) });
    const measured = [];
    for (let round = 0; round < rounds; round += 1) {
      const batches = freshBatches(tenants, batchesPerRound);
      const before = await readCosts(costs, service.pid);
      const { rate, answers } = await sendBatches({ ...target, batches });
      const after = await readCosts(costs, service.pid);
      const referenceRate = await reference.load(answers);
      const perBatch = (name) => (after[name] - before[name]) / batchesPerRound;
      measured.push({
        ...{ serviceRate: rate, referenceRate, ratio: rate / referenceRate },
        serviceCpuMs: perBatch("serviceCpuMs"),
        databaseCpuMs: perBatch("databaseCpuMs"),
      });
      onRound?.(measured.at(-1));
    }
    await reference.close();
    await costs.end();
    const middle = (name) => Number(median(measured.map((round) => round[name])).toFixed(1));
    return {
      ...summary(measured),
      processorMsPerBatch: { service: middle("serviceCpuMs"), database: middle("databaseCpuMs") },
    };
  };
}

export function describeRound({ serviceRate, referenceRate, ratio, serviceCpuMs, databaseCpuMs }) {
  const rates = `service ${serviceRate.toFixed(0)}/s   reference ${referenceRate.toFixed(0)}/s`;
  const costs = `processor time a batch: service ${serviceCpuMs.toFixed(0)} ms, PostgreSQL ${databaseCpuMs.toFixed(0)} ms`;
  return `${rates}   ratio ${ratio.toFixed(2)}   ${costs}`;
}
