/** Typical batches of partners: 500 parking sessions with nested account, contact and vehicle, mostly new. */
import { readFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { inTurn } from "./environment.js";

/**
 * @typedef {{ key: string, body: string }} Batch
 * @typedef {{ url: string, caFile: string, clients?: number }} Target
 * @typedef {{ totalSubmitted: number, skippedCount: number, referenceUuid: string, results: { status: number, uuid: string, errorDetail?: string }[] }} ImportAnswer
 */

export const recordsPerBatch = 500;
/** Many sessions share one account in ten, like those of companies; the others are new. */
const sharedAccounts = 50;

const failedStatus = 4;

let made = 0;

/**
 * @param {string} locationUuid
 * @param {number} [records]
 */
export function makeBatch(locationUuid, records = recordsPerBatch) {
  return JSON.stringify({ transactions: Array.from({ length: records }, () => makeRecord(locationUuid)) });
}

/** @param {string} locationUuid */
function makeRecord(locationUuid) {
  made += 1;
  const id = `${Math.random().toString(36).slice(2, 10)}${made}`;
  const start = Date.UTC(2026, 0, 1) + made * 60_000;
  return {
    transactionId: `T-${id}`,
    locationUuid,
    type: 1,
    transactionDate: new Date(start).toISOString(),
    amountTotal: 12.5,
    netAmount: 10.25,
    convenienceFee: 1,
    processingFee: 0.5,
    promotionAmount: null,
    cardType: "VISA",
    isRefunded: false,
    sessionStart: new Date(start).toISOString(),
    sessionEnd: new Date(start + 3_600_000).toISOString(),
    bookingSource: 2,
    metadata: { gate: "N1", lane: made % 7 },
    account: {
      tpReferenceId: made % 10 === 0 ? `A-shared-${made % sharedAccounts}` : `A-${id}`,
      name: `Company ${id}`,
    },
    contact: {
      email: `p${id}@example.com`,
      phoneNumber: `+1${5_550_000_000 + made}`,
      firstName: "Jo",
      lastName: "Doe",
    },
    vehicle: { licensePlate: `P${id}`, state: "NY", make: "Ford", model: "F150" },
  };
}

/**
 * Sends batches ({ key, body }) from `clients` clients and returns records per second and the responses. No record may
 * fail unless `mayFail` is set: failing is fast and would count as speed.
 * @param {Target & { path?: string, batches: Batch[], mayFail?: boolean }} options
 */
export async function sendBatches({
  url,
  caFile,
  path = "/integrations/transactions",
  batches,
  clients = 4,
  mayFail = false,
}) {
  /** @type {{ seconds: number, answers: ImportAnswer[] }} */
  const { seconds, answers } = await sendAll({ url, caFile, path, batches, clients });
  const failed = answers.flatMap(({ results }) => results).find(({ status }) => status === failedStatus);
  if (failed && !mayFail) throw new Error(`A record failed: ${failed.errorDetail}`);
  const records = answers.reduce((sum, answer) => sum + answer.totalSubmitted, 0);
  return { rate: records / seconds, seconds, answers };
}

/**
 * Posts bodies, each of which must get 200, and returns the responses in order.
 * @param {Target & { path: string, batches: Batch[] }} options
 */
export async function sendAll({ url, caFile, path, batches, clients = 4 }) {
  const agent = new Agent({ keepAlive: true, ca: readFileSync(caFile), maxSockets: clients });
  /** @type {any[]} */
  const answers = [];
  let next = 0;
  const begun = performance.now();
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (let index = next++, batch = batches[index]; batch; index = next++, batch = batches[index])
        answers[index] = await post(agent, new URL(path, url), batch);
    }),
  );
  const seconds = (performance.now() - begun) / 1000;
  agent.destroy();
  return { seconds, answers };
}

/**
 * @param {Agent} agent
 * @param {URL} url
 * @param {Batch} batch
 * @returns {Promise<any>} the parsed answer
 */
export function post(agent, url, { key, body }) {
  return new Promise((resolve, reject) => {
    const headers = {
      "x-api-key": key,
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
    };
    const sent = request(url, { agent, method: "POST", headers }, (answer) => {
      /** @type {Buffer[]} */
      const chunks = [];
      answer.on("data", (chunk) => chunks.push(chunk));
      answer.on("error", reject);
      answer.on("end", () => {
        const text = Buffer.concat(chunks).toString();
        if (answer.statusCode === 200) resolve(JSON.parse(text));
        else reject(new Error(`${url.pathname} answered ${answer.statusCode}: ${text.slice(0, 500)}`));
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/**
 * `count` new batches, distributed evenly to the tenants.
 * @param {import("./environment.js").Tenant[]} tenants
 * @param {number} count
 * @param {number} [records]
 */
export function freshBatches(tenants, count, records) {
  const nextTenant = inTurn(tenants);
  return Array.from({ length: count }, () => {
    const { key, locationUuids } = nextTenant();
    return { key, body: makeBatch(locationUuids[0], records) };
  });
}

export const liftedLimits = {
  GATEHOUSE_LIMITS: "importTransactions=999999/60,listImports=999999/60,getImport=999999/60",
};
