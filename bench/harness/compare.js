/**
 * Loads two servers alternately, so that other load on the machine affects both: reference, service, reference,
 * service ... The result is the median of the ratios of neighboring rounds.
 *
 * @typedef {{ serviceRate: number, referenceRate: number, ratio: number }} Round
 * @typedef {{ url: string, request: () => import("autocannon").Request }} Contender
 */
import { readFileSync } from "node:fs";
import autocannon from "autocannon";

const connections = 32;
const warmUpSeconds = 3;
/** Takes a second or less, and a fixed number of requests ends even on a slow machine. */
const shortAmount = 320;
const answerTimeoutSeconds = 60;

/**
 * What bench/run.js passes to a benchmark. `onRound` is called after each round.
 * @template [R=Round]
 * @typedef {object} Measurement
 * @property {import("./environment.js").Environment} environment
 * @property {number} rounds
 * @property {number} seconds
 * @property {boolean} isShort
 * @property {(round: R) => void} onRound
 */

/**
 * Measures the rounds one after another.
 * @template {object} R
 * @param {{ rounds: number, onRound: (round: R) => void }} run
 * @param {(round: number) => Promise<R>} measureRound
 */
export async function repeat({ rounds, onRound }, measureRound) {
  const measured = [];
  for (let round = 0; round < rounds; round += 1) {
    const result = await measureRound(round);
    measured.push(result);
    onRound(result);
  }
  return measured;
}

/**
 * `contenders` are { url, request }; `request()` returns the next request for autocannon. Every response must be a 200.
 * Returns requests per second by round, and the ratio of the service to the reference.
 * @param {Omit<Measurement, "environment"> & { service: Contender, reference: Contender, caFile: string }} options
 */
export async function compareRates({ service, reference, caFile, rounds, seconds, isShort, onRound }) {
  const ca = readFileSync(caFile);
  const load = (/** @type {Contender} */ contender, /** @type {number} */ duration) =>
    loadFor(contender, ca, isShort ? { amount: shortAmount } : { duration });
  for (const contender of [reference, service]) await load(contender, warmUpSeconds);

  const measured = await repeat({ rounds, onRound }, async () => {
    const referenceRate = await load(reference, seconds);
    const serviceRate = await load(service, seconds);
    const ratio = serviceRate / referenceRate;
    return { referenceRate, serviceRate, ratio };
  });
  return summary(measured);
}

/**
 * @param {Contender} contender
 * @param {Buffer} ca
 * @param {{ amount: number } | { duration: number }} extent
 */
async function loadFor({ url, request }, ca, extent) {
  const result = await autocannon({
    url,
    connections,
    ...extent,
    timeout: answerTimeoutSeconds,
    tlsOptions: { ca },
    requests: [{ setupRequest: (defaults) => ({ ...defaults, ...request() }) }],
  });
  const failures = result.non2xx + result.errors + result.timeouts;
  if (failures > 0 || result.requests.total === 0)
    throw new Error(
      `${url} answered ${failures} of ${result.requests.total} requests with a status other than 200`,
    );
  return result.requests.total / result.duration;
}

/** @param {number[]} values */
export function median(values) {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (/** @type {number} */ index) => sorted[index] ?? Number.NaN;
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? at(middle) : (at(middle - 1) + at(middle)) / 2;
}

/**
 * @template {Round} R
 * @param {R[]} measured
 */
export function summary(measured) {
  return {
    ratio: median(measured.map((round) => round.ratio)),
    serviceRate: median(measured.map((round) => round.serviceRate)),
    referenceRate: median(measured.map((round) => round.referenceRate)),
    rounds: measured,
  };
}
