/** Imports with network latency between the service and PostgreSQL, compared with none. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { freshBatches, liftedLimits, sendBatches } from "./harness/batches.js";
import { median, repeat, summary } from "./harness/compare.js";
import { createTenants } from "./harness/environment.js";

/** Milliseconds each way. */
const delays = [1, 5];
const singleRecords = 20;

/** @typedef {import("./harness/compare.js").Round & { rates: Record<number, number> }} DistanceRound */

/** @param {{ organizations: number, judgedDelayMs: number }} options */
function withLatency({ organizations, judgedDelayMs }) {
  /** @param {import("./harness/compare.js").Measurement<DistanceRound>} run */
  return async ({ environment, rounds, isShort, onRound }) => {
    const tenants = await createTenants(environment, organizations);
    const network = await openNetwork(environment.connectionString);
    try {
      const service = await environment.startService({
        ...liftedLimits,
        DATABASE_URL: network.connectionString,
      });
      const target = { url: service.url, caFile: environment.certificate.caFile, clients: organizations };
      const batchesPerRound = (isShort ? 1 : 5) * Math.max(organizations, 4);
      const rateAt = async (/** @type {number} */ delayMs) => {
        await network.setDelay(delayMs);
        return (await sendBatches({ ...target, batches: freshBatches(tenants, batchesPerRound) })).rate;
      };
      await rateAt(0);
      const measured = await repeat({ rounds, onRound }, async () => {
        const referenceRate = await rateAt(0);
        /** @type {Record<number, number>} */
        const rates = {};
        for (const delayMs of delays) rates[delayMs] = await rateAt(delayMs);
        const serviceRate = rates[judgedDelayMs] ?? Number.NaN;
        return { serviceRate, referenceRate, ratio: serviceRate / referenceRate, rates };
      });
      /** @type {Record<number, number>} */
      const oneRecordMs = {};
      for (const delayMs of [0, ...delays]) {
        await network.setDelay(delayMs);
        oneRecordMs[delayMs] = Number((await millisecondsOfOne(target, tenants.slice(0, 1))).toFixed(1));
      }
      const roundTrips = Number((((oneRecordMs[5] ?? 0) - (oneRecordMs[0] ?? 0)) / 10).toFixed(1));
      console.log(
        `  an import of one record, ms by delay: ${JSON.stringify(oneRecordMs)}; about ${roundTrips} round trips`,
      );
      return { ...summary(measured), oneRecordMs, roundTrips };
    } finally {
      await network.close();
    }
  };
}

/** @param {DistanceRound} round */
function describeRound({ referenceRate, rates, ratio }) {
  const parts = Object.entries(rates).map(([delayMs, rate]) => `${delayMs} ms ${rate.toFixed(0)}/s`);
  return `0 ms ${referenceRate.toFixed(0)}/s   ${parts.join("   ")}   ratio ${ratio.toFixed(2)}`;
}

/** @param {string} connectionString */
async function openNetwork(connectionString) {
  const address = new URL(connectionString);
  const proxy = fork(fileURLToPath(new URL("harness/distant-database.js", import.meta.url)), [address.port]);
  const [{ port }] = await once(proxy, "message");
  address.port = port;
  return {
    connectionString: address.href,
    /** @param {number} ms */
    async setDelay(ms) {
      proxy.send(ms);
      await once(proxy, "message");
    },
    async close() {
      proxy.kill();
      await once(proxy, "exit");
    },
  };
}

/**
 * @param {import("./harness/batches.js").Target} target
 * @param {import("./harness/environment.js").Tenant[]} tenants
 */
async function millisecondsOfOne(target, tenants) {
  const milliseconds = [];
  for (let time = 0; time < singleRecords; time += 1) {
    const single = await sendBatches({ ...target, clients: 1, batches: freshBatches(tenants, 1, 1) });
    milliseconds.push(single.seconds * 1000);
  }
  return median(milliseconds);
}

export const benchmarks = {
  "imports-distant": {
    title: "importTransactions of 8 organizations with 5 ms each way to PostgreSQL, against none",
    goal: 0.9,
    measure: withLatency({ organizations: 8, judgedDelayMs: 5 }),
    describeRound,
  },
  "imports-distant-alone": {
    title: "importTransactions of one organization with 5 ms each way to PostgreSQL, against none",
    goal: 0.6,
    measure: withLatency({ organizations: 1, judgedDelayMs: 5 }),
    describeRound,
  },
};
