/** Location lists per second, with key and limit, against a bare route running the same SELECT. */
import { createTenants, inTurn } from "./harness/environment.js";
import { compareRates } from "./harness/compare.js";

export const title = "GET /integrations/locations against a bare Fastify route running the same SELECT";
export const goal = 0.65;
export const measure = (options) => measureLocations(options, 1);

const locations = 10;

/** Of so many organizations, one after the other. */
export async function measureLocations({ environment, rounds, seconds, isShort, onRound }, organizations) {
  const tenants = await createTenants(environment, organizations, { locations });
  const nextTenant = inTurn(tenants);
  const service = await environment.startService({ GATEHOUSE_LIMITS: "listLocations=9999999/60" });
  const reference = await environment.startBare("locations.js", {
    TENANTS: JSON.stringify(tenants.map(({ key, organizationUuid }) => [key, organizationUuid])),
  });
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
