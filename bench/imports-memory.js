/** Eight batches of 5 MB at once: how much memory the process takes, and whether it gives it back. */
import { readFileSync } from "node:fs";
import { liftedLimits, makeBatch, sendBatches } from "./harness/batches.js";
import { createTenant } from "./harness/environment.js";

export const title = "8 concurrent batches of 5 MB, against a bound of 450 MB of memory";
/** The bound divided by the peak. */
export const goal = 1;

const boundMegabytes = 450;
const bodyBytes = 5 * 1024 * 1024;

export async function measure({ environment, rounds, onRound }) {
  const tenants = [];
  for (let index = 0; index < 8; index += 1) tenants.push(await createTenant(environment));
  const service = await environment.startService(liftedLimits);
  const target = { url: service.url, caFile: environment.certificate.caFile, clients: 8 };
  const measured = [];
  for (let round = 0; round < rounds; round += 1) {
    await sendBatches({
      ...target,
      batches: tenants.map((tenant) => ({ key: tenant.key, body: largeBatch(tenant) })),
    });
    const { peak, now } = memoryOf(service.pid);
    measured.push({ serviceRate: now, referenceRate: peak, ratio: boundMegabytes / peak });
    onRound?.(measured.at(-1));
  }
  return { ratio: Math.min(...measured.map((round) => round.ratio)), rounds: measured };
}

/** 500 records whose metadata fills the body to just below the limit. */
function largeBatch({ locationUuids }) {
  const batch = JSON.parse(makeBatch(locationUuids[0]));
  const room = Math.floor((bodyBytes - JSON.stringify(batch).length) / batch.transactions.length) - 20;
  for (const record of batch.transactions) record.metadata.note = "x".repeat(room);
  return JSON.stringify(batch);
}

/** In megabytes, from Linux's own accounting. */
function memoryOf(pid) {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const kilobytes = new Map(
    status.split("\n").map((line) => [line.split(":")[0], Number.parseInt(line.split(":")[1])]),
  );
  return { peak: kilobytes.get("VmHWM") / 1024, now: kilobytes.get("VmRSS") / 1024 };
}
