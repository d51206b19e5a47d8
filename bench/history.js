/** Reads the history of an organization with 100,000 runs, compared with one that has a few. */
import { compareRates } from "./harness/compare.js";
import { freshBatches, liftedLimits, sendBatches } from "./harness/batches.js";
import { createTenant } from "./harness/environment.js";
import { fillRuns } from "./harness/fill.js";

export const title = "list of runs and one run of 500 records, with 100,000 runs stored against a few";
export const goal = 0.8;

/** @param {import("./harness/compare.js").Measurement} run */
export async function measure({ environment, rounds, seconds, isShort, onRound }) {
  const busy = await createTenant(environment);
  const quiet = await createTenant(environment);
  const service = await environment.startService(liftedLimits);
  const target = { url: service.url, caFile: environment.certificate.caFile };
  await fillRuns(environment.connectionString, busy, isShort ? 20_000 : 100_000);
  const { answers } = await sendBatches({ ...target, batches: freshBatches([busy, quiet], 40) });

  /**
   * @param {import("./harness/environment.js").Tenant} tenant
   * @param {string[]} references
   * @returns {() => import("autocannon").Request}
   */
  const reader = (tenant, references) => {
    let turn = 0;
    return () => {
      turn += 1;
      const path =
        turn % 2 === 0
          ? "/integrations/imports"
          : `/integrations/imports/${references[turn % references.length]}`;
      return { method: "GET", path, headers: { "x-api-key": tenant.key } };
    };
  };
  const referencesOf = (/** @type {number} */ offset) =>
    answers.filter((_, index) => index % 2 === offset).map((run) => run.referenceUuid);
  return compareRates({
    service: { url: service.url, request: reader(busy, referencesOf(0)) },
    reference: { url: service.url, request: reader(quiet, referencesOf(1)) },
    caFile: environment.certificate.caFile,
    rounds,
    seconds,
    isShort,
    onRound,
  });
}
