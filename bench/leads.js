/** Leads per second, with key, limit, checks and duplicate detection, compared with a bare route that only inserts. */
import { createTenants, inTurn } from "./harness/environment.js";
import { compareRates } from "./harness/compare.js";

const organizations = 32;

export const title = `POST /lead/submit of ${organizations} organizations against a bare Fastify route doing the same INSERT`;
export const goal = 0.35;

/** @param {import("./harness/compare.js").Measurement} run */
export async function measure({ environment, rounds, seconds, isShort, onRound }) {
  const tenants = await createTenants(environment, organizations);
  const nextTenant = inTurn(tenants);
  const service = await environment.startService({ GATEHOUSE_LIMITS: "submitLead=9999999/60" });
  const reference = await environment.startBare("leads.js", {
    TENANTS: JSON.stringify(tenants.map(({ key, ...tenant }) => [key, tenant])),
  });
  let person = 0;
  /** @type {() => import("autocannon").Request} */
  const request = () => {
    const { key, locationUuids } = nextTenant();
    return {
      method: "POST",
      path: "/lead/submit",
      headers: { "content-type": "application/json", "x-api-key": key, "user-agent": "Mozilla/5.0 (bench)" },
      body: JSON.stringify({
        email: `person-${(person += 1)}@example.com`,
        locationUuid: locationUuids[0],
        firstName: "Jo",
        lastName: "Doe",
        companyName: "Acme Logistics",
        phone: "+1-555-010-0123",
        estimatedStartDate: "2026-04-01",
        source: "Website",
        notes: "Two spaces near the entrance, please.",
        formName: "contact",
        slug: "main-garage",
        referrerUrl: "https://www.example.com/garage",
        metadata: { seats: 2, level: "any", campaign: "spring" },
      }),
    };
  };
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
