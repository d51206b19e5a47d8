/** An organization with ten million transactions, compared with a new one on the same service and database. */
import pg from "pg";
import { freshBatches, liftedLimits, recordsPerBatch, sendBatches } from "./harness/batches.js";
import { createTenant } from "./harness/environment.js";
import { fillTransactions } from "./harness/fill.js";
import { median, repeat, summary } from "./harness/compare.js";

export const title = "importTransactions with 10,000,000 stored transactions against an empty organization";
export const goal = 0.85;

const storedTransactions = 10_000_000;
/** Relative to the rate in an empty organization. */
const leastRateOfReplays = 0.85;
/** The maximum slowdown of a batch of one record. */
const maxSlowdownOfOne = 1.5;
/** For a transaction with a new account, contact and vehicle, including all indexes. */
const maxBytesOnDisk = 2_500;

/**
 * @typedef {import("./harness/compare.js").Round & { ratioOfReplays: number }} FullRound
 * @typedef {import("./harness/batches.js").Batch} Batch
 * @typedef {(batches: Batch[], clients?: number) => ReturnType<typeof sendBatches>} Send
 */

/** @param {import("./harness/compare.js").Measurement<FullRound>} run */
export async function measure({ environment, rounds, isShort, onRound }) {
  const full = await createTenant(environment);
  const empty = await createTenant(environment);
  const stored = isShort ? 100_000 : storedTransactions;
  const bytesBefore = await databaseBytes(environment);
  await fillTransactions(environment.connectionString, full, stored);
  const bytesOnDisk = ((await databaseBytes(environment)) - bytesBefore) / stored;
  const service = await environment.startService(liftedLimits);
  const target = { url: service.url, caFile: environment.certificate.caFile };
  const batchesPerRound = isShort ? 10 : 40;
  /** @type {Send} */
  const send = (batches, clients = 4) => sendBatches({ ...target, batches, clients });

  for (const tenant of [empty, full]) await send(freshBatches([tenant], batchesPerRound));
  const measured = await repeat({ rounds, onRound }, async () => {
    const ofEmpty = await createAndReplay(send, freshBatches([empty], batchesPerRound));
    const ofFull = await createAndReplay(send, freshBatches([full], batchesPerRound));
    return {
      serviceRate: ofFull.created,
      referenceRate: ofEmpty.created,
      ratio: ofFull.created / ofEmpty.created,
      ratioOfReplays: ofFull.replayed / ofEmpty.replayed,
    };
  });
  const ratioOfReplays = median(measured.map((round) => round.ratioOfReplays));
  const slowdownOfOne = (await secondsOfOne(send, full)) / (await secondsOfOne(send, empty));
  const facts = { ratioOfReplays, slowdownOfOne, bytesOnDisk };
  console.log(
    `  replays ${ratioOfReplays.toFixed(2)} of their rate (at least ${leastRateOfReplays}); one record takes ` +
      `${slowdownOfOne.toFixed(2)} times as long (at most ${maxSlowdownOfOne}); ${bytesOnDisk.toFixed(0)} bytes on disk a ` +
      `transaction (at most ${maxBytesOnDisk})`,
  );
  if (!isShort && ratioOfReplays < leastRateOfReplays) throw new Error("Replays became too slow");
  if (slowdownOfOne > maxSlowdownOfOne) throw new Error("A batch of one record became too slow");
  if (bytesOnDisk > maxBytesOnDisk) throw new Error("A transaction takes too much of the disk");
  return { ...summary(measured), ...facts };
}

/** @param {FullRound} round */
export function describeRound({ serviceRate, referenceRate, ratio, ratioOfReplays }) {
  return (
    `full ${serviceRate.toFixed(0)}/s   empty ${referenceRate.toFixed(0)}/s   ratio ${ratio.toFixed(2)}   ` +
    `of replays ${ratioOfReplays.toFixed(2)}`
  );
}

/**
 * Rates of new batches and of the same batches resent.
 * @param {Send} send
 * @param {Batch[]} batches
 */
async function createAndReplay(send, batches) {
  const created = await send(batches);
  const replayed = await send([...batches, ...batches, ...batches]);
  if (replayed.answers.some(({ skippedCount }) => skippedCount !== recordsPerBatch))
    throw new Error("Not all records were Skipped");
  return { created: created.rate, replayed: replayed.rate };
}

/**
 * @param {Send} send
 * @param {import("./harness/environment.js").Tenant} tenant
 */
async function secondsOfOne(send, tenant) {
  const seconds = [];
  for (let time = 0; time < 100; time += 1) {
    const single = await send(freshBatches([tenant], 1, 1), 1);
    seconds.push(single.seconds);
  }
  return median(seconds);
}

/**
 * @param {import("./harness/environment.js").Environment} environment
 * @returns {Promise<number>}
 */
async function databaseBytes({ connectionString }) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { rows } = await client.query("select pg_database_size(current_database())::float8 as bytes");
  await client.end();
  return rows[0].bytes;
}
