/** The median time of one record, one request after another, compared with a route with one INSERT. */
import { readFileSync } from "node:fs";
import { Agent } from "node:https";
import { liftedLimits, post } from "./harness/batches.js";
import { createTenant } from "./harness/environment.js";
import { median, repeat, summary } from "./harness/compare.js";

export const title =
  "a batch of one record against a bare Fastify route that inserts one row (time of the middle answer)";
export const goal = 0.5;

const warmUps = 300;

/** @param {import("./harness/compare.js").Measurement} run */
export async function measure({ environment, rounds, isShort, onRound }) {
  const tenant = await createTenant(environment);
  const service = await environment.startService(liftedLimits);
  const bare = await environment.startBare("imports-one.js", {
    ORGANIZATION_UUID: tenant.organizationUuid,
    LOCATION_UUID: tenant.locationUuids[0],
  });
  const agent = new Agent({
    keepAlive: true,
    ca: readFileSync(environment.certificate.caFile),
    maxSockets: 1,
  });
  const requests = isShort ? 20 : 300;
  let made = 0;
  const middleMs = async (/** @type {{ url: string }} */ { url }, /** @type {number} */ count) => {
    const times = [];
    for (let index = 0; index < count; index += 1) {
      made += 1;
      const record = {
        transactionId: `T-${made}`,
        locationUuid: tenant.locationUuids[0],
        type: 1,
        transactionDate: "2026-04-01T14:30:00.000Z",
        amountTotal: 12.5,
      };
      const body = JSON.stringify({ transactions: [record] });
      const begun = performance.now();
      await post(agent, new URL("/integrations/transactions", url), { key: tenant.key, body });
      times.push(performance.now() - begun);
    }
    return median(times);
  };
  for (const contender of [service, bare]) await middleMs(contender, isShort ? requests : warmUps);
  const measured = await repeat({ rounds, onRound }, async () => {
    const referenceMs = await middleMs(bare, requests);
    const serviceMs = await middleMs(service, requests);
    const rates = { serviceRate: 1000 / serviceMs, referenceRate: 1000 / referenceMs };
    return { ...rates, ratio: referenceMs / serviceMs };
  });
  agent.destroy();
  return summary(measured);
}
