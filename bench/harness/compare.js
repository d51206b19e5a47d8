/**
 * Loads two servers in turns, so that whatever else the machine does meets both: reference, service, reference,
 * service ... The result is the median of the ratios of neighbouring rounds.
 */
import { readFileSync } from "node:fs";
import autocannon from "autocannon";

const connections = 32;
const warmUpSeconds = 3;
/** So many requests take a second or less, but on however slow a machine they all come to an end. */
const shortAmount = 320;
const answerTimeoutSeconds = 60;

/**
 * `contenders` are { url, request }; `request()` returns what autocannon sends next. Every answer must be a 200.
 * Returns requests per second by round, and the ratio of the service to the reference.
 */
export async function compareRates({ service, reference, caFile, rounds, seconds, isShort, onRound }) {
  const ca = readFileSync(caFile);
  const load = (contender, duration) =>
    loadFor(contender, ca, isShort ? { amount: shortAmount } : { duration });
  for (const contender of [reference, service]) await load(contender, warmUpSeconds);

  const measured = [];
  for (let round = 0; round < rounds; round += 1) {
    const referenceRate = await load(reference, seconds);
    const serviceRate = await load(service, seconds);
    const ratio = serviceRate / referenceRate;
    measured.push({ referenceRate, serviceRate, ratio });
    onRound?.(measured.at(-1));
  }
  return summary(measured);
}

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
      `${url} answered ${failures} of ${result.requests.total} requests with something else than 200`,
    );
  return result.requests.total / result.duration;
}

export function median(values) {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

export function summary(measured) {
  return {
    ratio: median(measured.map((round) => round.ratio)),
    serviceRate: median(measured.map((round) => round.serviceRate)),
    referenceRate: median(measured.map((round) => round.referenceRate)),
    rounds: measured,
  };
}
