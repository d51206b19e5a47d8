import { uuidv7 } from "../src/core/uuidv7.js";
import type { TestApp } from "./harness.js";
import { renewSampleFiles } from "./sample-files.js";

/** An organization with one of everything that the console shows. */
export interface SampleOrganization {
  organizationId: string;
  apiKey: string;
  keyId: string;
  locationUuid: string;
  transactionUuid: string;
  accountUuid: string;
  runUuid: string;
  leadUuid: string;
  requestUuid: string;
  uploadUuid: string;
  mappingUuid: string;
}

export async function sampleOrganization(
  gatehouse: TestApp,
  options: { isDemo?: boolean } = {},
): Promise<SampleOrganization> {
  const { organizationId, apiKey, locationUuid } = await gatehouse.tenant();
  const { work } = gatehouse.database;
  if (options.isDemo)
    await work.query("update organizations set is_demo = true where id = $1", [organizationId]);
  const run = await gatehouse.post("/integrations/transactions", apiKey, {
    transactions: [
      {
        transactionId: "T-1",
        locationUuid,
        type: 1,
        transactionDate: "2026-04-01T14:30:00.000Z",
        amountTotal: 12.5,
        account: { tpReferenceId: "A-1", name: "Acme" },
        contact: { email: "Jo@Example.com", phoneNumber: "+1-555-010-0123", tpReferenceId: "C-1" },
        vehicle: { licensePlate: "abc 1234" },
        subscription: { tpReferenceId: "S-1" },
        metadata: { lane: 4 },
      },
      { transactionId: "T-2", locationUuid, type: 9, transactionDate: "2026-04-01T14:30:00.000Z" },
    ],
    metadata: { batch: 7 },
  });
  const lead = await gatehouse.post("/lead/submit", apiKey, { email: "lead@example.com", locationUuid });
  for (const { status, text } of [run, lead]) {
    if (status !== 200) throw new Error(`The sample organization was answered ${status}: ${text}`);
  }
  const { rows } = await work.query("select id from api_keys where organization_id = $1", [organizationId]);
  const { rows: accounts } = await work.query("select id from accounts where organization_id = $1", [
    organizationId,
  ]);
  const files = { organizationId, uploadUuid: uuidv7(), mappingUuid: uuidv7() };
  await renewSampleFiles(gatehouse, files);
  const request = { organizationId, requestUuid: uuidv7(), keyId: rows[0].id as string };
  await renewSampleRequest(gatehouse, request);
  return {
    ...files,
    ...request,
    apiKey,
    locationUuid,
    transactionUuid: run.json.results[0].uuid,
    accountUuid: accounts[0].id,
    runUuid: run.json.referenceUuid,
    leadUuid: lead.json.leadUuid,
  };
}

/** A reset of the demo organization deletes the logged request. */
export async function renewSampleRequest(
  { database }: TestApp,
  {
    organizationId,
    requestUuid,
    keyId,
  }: Pick<SampleOrganization, "organizationId" | "requestUuid" | "keyId">,
): Promise<void> {
  await database.work.query(
    `insert into request_log (organization_id, id, api_key_id, operation, status, reason, request_id, answer)
     values ($1, $2, $3, 'listLocations', 429, 'rateLimited', 'sample', '{"messages":["Wait"],"headers":{}}')
     on conflict do nothing`,
    [organizationId, requestUuid, keyId],
  );
}
