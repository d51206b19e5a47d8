/** Imports over HTTPS, compared with COPY of the same rows. */
import pg from "pg";
import { freshBatches, liftedLimits, sendBatches } from "./harness/batches.js";
import { median, repeat, summary } from "./harness/compare.js";
import { openCopyReference } from "./harness/copy-reference.js";
import { readCosts } from "./harness/costs.js";
import { createTenants } from "./harness/environment.js";

/**
 * @typedef {import("./harness/costs.js").Costs} Costs
 * @typedef {{ serviceCpuMs: number, databaseCpuMs: number, copyCpuMs: number }} CpuTimes
 * @typedef {import("./harness/compare.js").Round & CpuTimes} CopyRound
 */

/**
 * Each client has a separate organization, because the imports of one organization run one after another.
 * @param {{ clients: number, onlyKeys: boolean }} options
 */
function againstCopy({ clients, onlyKeys }) {
  /** @param {import("./harness/compare.js").Measurement<CopyRound>} run */
  return async ({ environment, rounds, isShort, onRound }) => {
    const tenants = await createTenants(environment, clients);
    const service = await environment.startService(liftedLimits);
    const target = { url: service.url, caFile: environment.certificate.caFile, clients };
    const reference = await openCopyReference(environment.connectionString, { onlyKeys });
    const costs = new pg.Client({ connectionString: environment.connectionString });
    await costs.connect();
    const batchesPerRound = isShort ? 5 : 60;

    // The JIT compiler needs a few dozen batches.
    await sendBatches({ ...target, batches: freshBatches(tenants, batchesPerRound) });
    const measured = await repeat({ rounds, onRound }, async () => {
      const batches = freshBatches(tenants, batchesPerRound);
      const before = await readCosts(costs, service.pid);
      const { rate, answers } = await sendBatches({ ...target, batches });
      const after = await readCosts(costs, service.pid);
      const rows = await reference.read(answers);
      const beforeCopy = await readCosts(costs, service.pid);
      const referenceRate = await reference.load(rows);
      const afterCopy = await readCosts(costs, service.pid);
      /** @type {(from: Costs, to: Costs, name: "serviceCpuMs" | "databaseCpuMs") => number} */
      const perBatch = (from, to, name) => (to[name] - from[name]) / batchesPerRound;
      return {
        ...{ serviceRate: rate, referenceRate, ratio: rate / referenceRate },
        serviceCpuMs: perBatch(before, after, "serviceCpuMs"),
        databaseCpuMs: perBatch(before, after, "databaseCpuMs"),
        copyCpuMs: perBatch(beforeCopy, afterCopy, "databaseCpuMs"),
      };
    });
    await reference.close();
    await costs.end();
    const middle = (/** @type {keyof CpuTimes} */ name) =>
      Number(median(measured.map((round) => round[name])).toFixed(1));
    return {
      ...summary(measured),
      // The rate of COPY alone shows how fast the machine is.
      processorMsPerBatch: {
        service: middle("serviceCpuMs"),
        database: middle("databaseCpuMs"),
        copy: middle("copyCpuMs"),
      },
    };
  };
}

/** @param {CopyRound} round */
function describeRound({ serviceRate, referenceRate, ratio, serviceCpuMs, databaseCpuMs, copyCpuMs }) {
  const rates = `service ${serviceRate.toFixed(0)}/s   reference ${referenceRate.toFixed(0)}/s`;
  const costs = `processor time per batch: service ${serviceCpuMs.toFixed(0)} ms, PostgreSQL ${databaseCpuMs.toFixed(0)} ms (COPY alone ${copyCpuMs.toFixed(0)} ms)`;
  return `${rates}   ratio ${ratio.toFixed(2)}   ${costs}`;
}

export const benchmarks = {
  "imports-copy": {
    title: "importTransactions, 500 records per batch, 4 clients, against COPY of the same rows",
    goal: 0.5,
    measure: againstCopy({ clients: 4, onlyKeys: false }),
    describeRound,
  },
  "imports-copy-keys": {
    title:
      "importTransactions, 500 records per batch, 4 clients, against COPY into tables with only the indexes of their keys",
    goal: 0.6,
    measure: againstCopy({ clients: 4, onlyKeys: true }),
    describeRound,
  },
  "imports-copy-keys-alone": {
    title:
      "importTransactions, 500 records per batch, 1 client, against COPY into tables with only the indexes of their keys",
    goal: 0.45,
    measure: againstCopy({ clients: 1, onlyKeys: true }),
    describeRound,
  },
};
