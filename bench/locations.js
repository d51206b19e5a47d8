/** Location lists per second, with key and limit, against a bare route running the same SELECT. */
import { createTenant } from "./harness/environment.js";
import { compareRates } from "./harness/compare.js";

export const title = "GET /integrations/locations against a bare Fastify route running the same SELECT";
export const goal = 0.5;

const locations = 10;

export async function measure({ environment, rounds, seconds, isShort, onRound }) {
  const { organizationUuid, key } = await createTenant(environment, { locations });
  const service = await environment.startService({ GATEHOUSE_LIMITS: "listLocations=9999999/60" });
  const reference = await environment.startBare("locations.js", { ORGANIZATION_UUID: organizationUuid });
  const request = () => ({ method: "GET", path: "/integrations/locations", headers: { "x-api-key": key } });
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
