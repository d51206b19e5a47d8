import { operationNames } from "@gatehouse-parking/contract";
import { expect } from "vitest";
import { beginAttempt } from "../src/core/leads/attempts.js";
import { isLocationOf } from "../src/core/leads/store-lead.js";
import type { TestApp } from "./harness.js";
import { importer } from "./importer.js";

/** Everything that partners and web sites can request, with records of every outcome. */
export async function useInterface(gatehouse: TestApp): Promise<void> {
  const partner = await importer(gatehouse);
  const { apiKey: key, locationUuid } = partner;
  const reached = new Set<string>();
  const file = Buffer.from("tpReferenceId,name\nA-9,Gamma\nA-10,\n");
  const ask = async (name: string, url: string, body?: object, headers = {}, verb?: "DELETE") => {
    reached.add(name);
    const answer = await gatehouse.send({
      method: verb ?? (body ? "POST" : "GET"),
      url,
      key,
      ...(body ? { payload: Buffer.isBuffer(body) ? body : JSON.stringify(body) } : {}),
      headers: { "content-type": "application/json", ...headers },
    });
    expect(answer.status, `${name}: ${answer.text}`).toBe(200);
    return answer.json;
  };
  const transaction = partner.transaction("T-1", {
    account: { tpReferenceId: "A-1", name: "Acme" },
    contact: { email: "jo@example.com", phoneNumber: "+1-555-010-0123" },
    vehicle: { licensePlate: "ABC 1" },
    subscription: { tpReferenceId: "S-1" },
  });
  const batches = {
    Transactions: [transaction, { transactionId: "T-2" }, { transactionId: "T-3", type: 9 }],
    Accounts: [{ tpReferenceId: "A-2", name: "Beta" }, {}],
    Subscriptions: [{ tpReferenceId: "S-2", accountTPReferenceId: "A-2" }, {}],
  };
  for (const [name, records] of Object.entries(batches)) {
    const resource = name.toLowerCase();
    await ask(`validate${name}`, `/integrations/${resource}/validate`, { [resource]: records });
    const run = await ask(`import${name}`, `/integrations/${resource}`, { [resource]: records });
    // Sent again: skipped, and then skipped with a difference.
    await ask(`import${name}`, `/integrations/${resource}`, { [resource]: records });
    const changed = records.map((record) => ({
      ...record,
      cardType: "other",
      name: "other",
      permitType: "other",
    }));
    await ask(`import${name}`, `/integrations/${resource}`, { [resource]: changed });
    await ask("getImport", `/integrations/imports/${run.referenceUuid}`);
  }
  await ask("listImports", "/integrations/imports");
  await ask("listLocations", "/integrations/locations?query=garage");
  const lead = { email: "jo@example.com", locationUuid };
  await ask("submitLead", "/lead/submit", lead);
  for (let time = 0; time < 2; time += 1)
    await ask("submitLead", "/lead/submit", lead, { "idempotency-key": "once" });
  const { uuid } = await ask("createUpload", "/integrations/uploads", {
    fileName: "accounts.csv",
    size: file.length,
    resource: "accounts",
    reference: "once",
  });
  const upload = `/integrations/uploads/${uuid}`;
  await ask("sendUploadPiece", `${upload}/pieces`, file, { "content-type": "application/octet-stream" });
  await ask("startUpload", `${upload}/start`, { validateOnly: false });
  await gatehouse.app.uploads.runUntilIdle();
  await ask("getUpload", upload);
  await ask("listUploads", "/integrations/uploads?reference=once");
  await ask("listUploadOutcomes", `${upload}/outcomes?status=4`);
  await ask("downloadUploadFailures", `${upload}/failures.csv`);
  await ask("listMappings", "/integrations/mappings");
  await ask("removeUpload", upload, undefined, {}, "DELETE");
  const { uuid: other } = await ask("createUpload", "/integrations/uploads", {
    fileName: "other.csv",
    size: 1,
    resource: "accounts",
  });
  await ask("cancelUpload", `/integrations/uploads/${other}/cancel`, {});
  // The captcha fields.
  const { organizationId } = partner;
  const { work } = gatehouse.database;
  const endAttempt = await beginAttempt(work, { organizationId, idempotencyKey: "twice" });
  expect(await isLocationOf(work, organizationId, locationUuid)).toBe(true);
  await endAttempt();
  expect([...reached].toSorted()).toEqual(operationNames.toSorted());
}
