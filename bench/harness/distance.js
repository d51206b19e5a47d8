/** How fast imports are with a network between the service and PostgreSQL, against none. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { freshBatches, liftedLimits, sendBatches } from "./batches.js";
import { median, summary } from "./compare.js";
import { createTenant } from "./environment.js";

/** Milliseconds each way. */
const delays = [1, 5];
const singleRecords = 20;

export function atADistance({ organizations, judgedDelayMs }) {
  return async ({ environment, rounds, isShort, onRound }) => {
    const tenants = [];
    for (let index = 0; index < organizations; index += 1) tenants.push(await createTenant(environment));
    const network = await openNetwork(environment.connectionString);
    try {
      const service = await environment.startService({
        ...liftedLimits,
        DATABASE_URL: network.connectionString,
      });
      const target = { url: service.url, caFile: environment.certificate.caFile, clients: organizations };
      const batchesPerRound = (isShort ? 1 : 5) * Math.max(organizations, 4);
      const rateAt = async (delayMs) => {
        await network.setDelay(delayMs);
        return (await sendBatches({ ...target, batches: freshBatches(tenants, batchesPerRound) })).rate;
      };
      await rateAt(0);
      const measured = [];
      for (let round = 0; round < rounds; round += 1) {
        const referenceRate = await rateAt(0);
        const rates = {};
        for (const delayMs of delays) rates[delayMs] = await rateAt(delayMs);
        const serviceRate = rates[judgedDelayMs];
        measured.push({ serviceRate, referenceRate, ratio: serviceRate / referenceRate, rates });
        onRound?.(measured.at(-1));
      }
      const oneRecordMs = {};
      for (const delayMs of [0, ...delays]) {
        await network.setDelay(delayMs);
        oneRecordMs[delayMs] = Number((await millisecondsOfOne(target, tenants[0])).toFixed(1));
      }
      const roundTrips = Number(((oneRecordMs[5] - oneRecordMs[0]) / 10).toFixed(1));
      console.log(
        `  an import of one record, ms by delay: ${JSON.stringify(oneRecordMs)}; about ${roundTrips} round trips`,
      );
      return { ...summary(measured), oneRecordMs, roundTrips };
    } finally {
      await network.close();
    }
  };
}

export function describeRound({ referenceRate, rates, ratio }) {
  const parts = Object.entries(rates).map(([delayMs, rate]) => `${delayMs} ms ${rate.toFixed(0)}/s`);
  return `0 ms ${referenceRate.toFixed(0)}/s   ${parts.join("   ")}   ratio ${ratio.toFixed(2)}`;
}

async function openNetwork(connectionString) {
  const address = new URL(connectionString);
  const proxy = fork(fileURLToPath(new URL("distant-database.js", import.meta.url)), [address.port]);
  const [{ port }] = await once(proxy, "message");
  address.port = port;
  return {
    connectionString: address.href,
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

async function millisecondsOfOne(target, tenant) {
  const milliseconds = [];
  for (let time = 0; time < singleRecords; time += 1) {
    const single = await sendBatches({ ...target, clients: 1, batches: freshBatches([tenant], 1, 1) });
    milliseconds.push(single.seconds * 1000);
  }
  return median(milliseconds);
}
