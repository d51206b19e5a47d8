import { expect, test } from "vitest";
import { useApp, type Answer } from "../../../testing/harness.js";

const gatehouse = useApp();
const unknownUuid = "01a1dd0e-c298-72ae-9b8a-14211f028ea1";

/** The parts of an answer that do not differ between any two requests. */
function comparable({ status, headers, text }: Answer) {
  const {
    "x-request-id": _id,
    "x-ratelimit-remaining": _remaining,
    "x-ratelimit-reset": _reset,
    date: _date,
    ...rest
  } = headers;
  return { status, headers: rest, text: text.replace(/"timestamp":"[^"]+"/, '"timestamp":""') };
}

async function organizationWithRun() {
  const tenant = await gatehouse.tenant();
  const run = await gatehouse.post("/integrations/accounts", tenant.apiKey, {
    accounts: [{ tpReferenceId: "A-1", name: "Acme" }],
  });
  return { ...tenant, referenceUuid: run.json.referenceUuid as string };
}

/** @covers R225-R227, reading 46 */
test("an import of another organization gets exactly the answer of an unknown or malformed one", async () => {
  const [own, other] = [await organizationWithRun(), await organizationWithRun()];
  const read = (reference: string) =>
    gatehouse.send({ url: `/integrations/imports/${reference}`, key: own.apiKey });
  expect((await read(own.referenceUuid)).status).toBe(200);
  expect((await read(own.referenceUuid.toUpperCase())).status).toBe(200);
  const unknown = comparable(await read(unknownUuid));
  expect(unknown.status).toBe(404);
  for (const reference of [
    other.referenceUuid,
    other.locationUuid,
    other.organizationId,
    own.organizationId,
    own.locationUuid,
    "nonsense",
    "0",
    "null",
    `{${own.referenceUuid}}`,
    `${own.referenceUuid}%00`,
    own.referenceUuid.slice(0, -1),
    `urn:uuid:${own.referenceUuid}`,
    own.referenceUuid.replaceAll("-", ""),
  ])
    expect(comparable(await read(reference)), reference).toEqual(unknown);
});

/** @covers R211, R223 */
test("lists never contain data of another organization", async () => {
  const [own, other] = [await organizationWithRun(), await organizationWithRun()];
  for (const query of [
    "",
    `?organizationUuid=${other.organizationId}`,
    `?organization_id=${other.organizationId}`,
    "?pageSize=500",
    "?page=1&pageSize=100&query=",
  ]) {
    const locations = await gatehouse.send({ url: `/integrations/locations${query}`, key: own.apiKey });
    expect(locations.json).toMatchObject({ totalCount: 1, data: [{ uuid: own.locationUuid }] });
    const runs = await gatehouse.send({ url: `/integrations/imports${query}`, key: own.apiKey });
    expect(runs.json).toMatchObject({ totalCount: 1, data: [{ referenceUuid: own.referenceUuid }] });
  }
  // A header with an organization has no effect: only the key counts.
  const named = await gatehouse.send({
    url: "/integrations/locations",
    key: own.apiKey,
    headers: { "x-organization-id": other.organizationId, "x-tenant": other.organizationId },
  });
  expect(named.json.data).toMatchObject([{ uuid: own.locationUuid }]);
});
