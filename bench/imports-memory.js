/** Eight batches of 5 MB at once: the memory of the process, and whether it returns the memory. */
import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { liftedLimits, makeBatch, sendBatches } from "./harness/batches.js";
import { createTenants } from "./harness/environment.js";
import { repeat } from "./harness/compare.js";

export const title = "8 concurrent batches of 5 MB, against a bound of 450 MB of memory";
/** The limit divided by the peak. */
export const goal = 1;

const boundMegabytes = 450;
const bodyBytes = 5 * 1024 * 1024;

/** How long the service may take to return unused memory. */
const idleMs = 10_000;

/** @typedef {{ filledWith: string, peak: number, now: number, ratio: number }} MemoryRound */

/** @param {import("./harness/compare.js").Measurement<MemoryRound>} run */
export async function measure({ environment, rounds, isShort, onRound }) {
  const tenants = await createTenants(environment, 8);
  const service = await environment.startService(liftedLimits);
  const idle = memoryOf(service.pid).now;
  const target = { url: service.url, caFile: environment.certificate.caFile, clients: 8 };
  const measured = await repeat({ rounds, onRound }, async (round) => {
    const fill = round % 2 === 0 ? fillWithText : fillWithBrackets;
    await sendBatches({
      ...target,
      batches: tenants.map((tenant) => ({ key: tenant.key, body: largeBatch(tenant, fill) })),
    });
    const { peak, now } = memoryOf(service.pid);
    return {
      filledWith: round % 2 === 0 ? "text" : "brackets",
      peak,
      now,
      ratio: boundMegabytes / peak,
    };
  });
  const waitedMs = isShort ? 0 : idleMs;
  await setTimeout(waitedMs);
  const afterwards = memoryOf(service.pid).now;
  console.log(`  idle ${megabytes(idle)}   ${waitedMs / 1000} s afterwards ${megabytes(afterwards)}`);
  return { ratio: Math.min(...measured.map((round) => round.ratio)), idle, afterwards, rounds: measured };
}

/** @param {MemoryRound} round */
export function describeRound({ filledWith, peak, now }) {
  return `${filledWith}: peak so far ${megabytes(peak)}   now ${megabytes(now)}`;
}

const megabytes = (/** @type {number} */ value) => `${value.toFixed(0)} MB`;

/**
 * 500 records whose metadata fills the body to just below the limit.
 * @param {import("./harness/environment.js").Tenant} tenant
 * @param {(room: number) => unknown} fill
 */
function largeBatch({ locationUuids }, fill) {
  const batch = JSON.parse(makeBatch(locationUuids[0]));
  const room = Math.floor((bodyBytes - JSON.stringify(batch).length) / batch.transactions.length) - 20;
  for (const record of batch.transactions) record.metadata.note = fill(room);
  return JSON.stringify(batch);
}

const fillWithText = (/** @type {number} */ room) => "x".repeat(room);
/** The content that takes the most memory when parsed. */
const fillWithBrackets = (/** @type {number} */ room) =>
  Array.from({ length: Math.floor(room / 3) - 1 }, () => []);

/**
 * In megabytes, from Linux's process statistics.
 * @param {number | undefined} pid
 */
function memoryOf(pid) {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const megabytesOf = (/** @type {string} */ name) => {
    const line = status.split("\n").find((one) => one.startsWith(`${name}:`));
    return Number.parseInt(line?.slice(name.length + 1) ?? "", 10) / 1024;
  };
  return { peak: megabytesOf("VmHWM"), now: megabytesOf("VmRSS") };
}
