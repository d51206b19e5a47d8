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
      const rows = await reference.read(answers);
      const beforeCopy = await readCosts(costs, service.pid);
      const referenceRate = await reference.load(rows);
      const afterCopy = await readCosts(costs, service.pid);
      const perBatch = (from, to, name) => (to[name] - from[name]) / batchesPerRound;
      measured.push({
        ...{ serviceRate: rate, referenceRate, ratio: rate / referenceRate },
        serviceCpuMs: perBatch(before, after, "serviceCpuMs"),
        databaseCpuMs: perBatch(before, after, "databaseCpuMs"),
        copyCpuMs: perBatch(beforeCopy, afterCopy, "databaseCpuMs"),
      });
      onRound?.(measured.at(-1));
    }
    await reference.close();
    await costs.end();
    const middle = (name) => Number(median(measured.map((round) => round[name])).toFixed(1));
    return {
      ...summary(measured),
      // What COPY alone takes tells how fast the machine is that the others were measured on.
      processorMsPerBatch: {
        service: middle("serviceCpuMs"),
        database: middle("databaseCpuMs"),
        copy: middle("copyCpuMs"),
      },
    };
  };
}

export function describeRound({ serviceRate, referenceRate, ratio, serviceCpuMs, databaseCpuMs, copyCpuMs }) {
  const rates = `service ${serviceRate.toFixed(0)}/s   reference ${referenceRate.toFixed(0)}/s`;
  const costs = `processor time a batch: service ${serviceCpuMs.toFixed(0)} ms, PostgreSQL ${databaseCpuMs.toFixed(0)} ms (COPY alone ${copyCpuMs.toFixed(0)} ms)`;
  return `${rates}   ratio ${ratio.toFixed(2)}   ${costs}`;
}
