/** Location lists per second, with key and limit, compared with a bare route that runs the same SELECT. */
import { createTenants, inTurn } from "./harness/environment.js";
import { compareRates } from "./harness/compare.js";

const organizations = 32;
const locations = 10;

export const title = `GET /integrations/locations of ${organizations} organizations against a bare Fastify route running the same SELECT`;
export const goal = 0.35;
/** So far from the goal that a busy machine cannot explain it. */
export const leastInShort = goal / 2;

/** @param {import("./harness/compare.js").Measurement} run */
export async function measure({ environment, rounds, seconds, isShort, onRound }) {
  const tenants = await createTenants(environment, organizations, { locations });
  const nextTenant = inTurn(tenants);
  const service = await environment.startService({ GATEHOUSE_LIMITS: "listLocations=9999999/60" });
  const reference = await environment.startBare("locations.js", {
    TENANTS: JSON.stringify(tenants.map(({ key, organizationUuid }) => [key, organizationUuid])),
  });
  /** @type {() => import("autocannon").Request} */
  const request = () => ({
    method: "GET",
    path: "/integrations/locations",
    headers: { "x-api-key": nextTenant().key },
  });
  return compareRates({
    service: { url: service.url, request },
    reference: { url: reference.url, request },
    caFile: environment.certificate.caFile,
    rounds,
    seconds,
    isShort,
    onRound,
  });
}
