import {
  consoleOperations,
  type ConsoleOperation,
  type ConsoleOperationName,
} from "@gatehouse-parking/contract/console";
import { testPassword } from "./console.js";
import { sampleDigest, sampleFile } from "./sample-files.js";
import type { SampleOrganization } from "./sample-organization.js";

/** A request to a console route that succeeds for an authorized user. */
export function requestTo(name: ConsoleOperationName, target: SampleOrganization, memberUuid: string) {
  const { method, path, bytes }: ConsoleOperation = consoleOperations[name];
  const parameters = pathParameters(target, memberUuid);
  const url = path.replaceAll(/:(\w+)/g, (_part, parameter: string) => parameters[parameter] as string);
  const query = new URLSearchParams(sampleQuery(name, target));
  return {
    method,
    url: query.size > 0 ? `${url}?${query}` : url,
    headers: { "content-type": bytes ? "application/octet-stream" : "application/json" },
    ...(method === "GET"
      ? {}
      : { payload: bytes ? sampleFile.toString() : JSON.stringify(sampleBody(name, target)) }),
  };
}

/** Values for every path parameter. */
export function pathParameters(target: SampleOrganization, memberUuid: string): Record<string, string> {
  return {
    organizationUuid: target.organizationId,
    userUuid: memberUuid,
    sessionUuid: memberUuid,
    keyUuid: target.keyId,
    requestUuid: target.requestUuid,
    referenceUuid: target.runUuid,
    kind: "transactions",
    recordUuid: target.transactionUuid,
    leadUuid: target.leadUuid,
    noteUuid: target.leadUuid,
    locationUuid: target.locationUuid,
    uploadUuid: target.uploadUuid,
    mappingUuid: target.mappingUuid,
    viewUuid: memberUuid,
    sampleName: "listLocations",
    format: "csv",
  };
}

export function sampleQuery(name: ConsoleOperationName, target: SampleOrganization): Record<string, string> {
  if (name === "sendUploadPiece") return { offset: "0" };
  if (name === "searchEverywhere") return { q: target.runUuid };
  return name === "getLocalHours" ? { location: target.locationUuid, date: "2026-04-01" } : {};
}

export function sampleBody(
  name: ConsoleOperationName,
  target: Pick<SampleOrganization, "leadUuid">,
): Record<string, unknown> {
  const body = bodies[name] ?? {};
  return name === "changeLeads" ? { ...body, leads: [{ uuid: target.leadUuid }] } : body;
}

const place = { name: "Deck", address: "1 Road", city: "Town", state: "NY", zipcode: "1", timeZone: "UTC" };
const csv = `name,address,city,state,zipcode,timeZone\n${Object.values(place).join(",")}`;
const mapping = { columns: { Ticket: "transactionId" } };
const bodies: Partial<Record<ConsoleOperationName, Record<string, unknown>>> = {
  acceptInvitation: { token: "nothing" },
  startSecondFactor: { currentPassword: testPassword },
  confirmSecondFactor: { code: "000000" },
  renewRecoveryCodes: { code: "000000" },
  removeSecondFactor: { code: "000000" },
  changePassword: { currentPassword: testPassword, newPassword: "another good password" },
  createOrganization: { name: "Another" },
  changeSettings: { honeypotField: "website" },
  inviteMember: { email: "new@example.com", role: "viewer" },
  changeMember: { role: "viewer" },
  createApiKey: { name: "key" },
  changeApiKey: { name: "another name" },
  changeLeadLimit: { leadLimit: "100/60" },
  // First scheduled, because it deletes the lead; then cancelled.
  changeRetention: { days: [{ what: "leads", days: 1 }], confirmed: [{ what: "leads", count: 1_000 }] },
  previewRetention: { days: [{ what: "leads", days: 1 }], keepsDeletedKeys: false },
  cancelRetention: { what: ["leads"] },
  changeQuotas: { quotas: [{ quota: "records", limit: 1_000_000 }] },
  changeLimits: { limits: [{ operation: "listImports", limit: "1000/60" }] },
  rotateApiKey: { overlapMs: 1000 },
  changeLead: { state: "quarantined" },
  changeLeads: { workState: "contacted", assigneeUuid: null },
  addLeadNote: { text: "Called back" },
  // A user that no other request needs.
  findPerson: { email: "unknown@example.com" },
  exportPerson: { email: "unknown@example.com", format: "ndjson" },
  erasePerson: { email: "unknown@example.com", emailConfirmation: "unknown@example.com" },
  createLocation: place,
  changeLocation: { name: "Garage" },
  previewLocationImport: { csv },
  importLocations: { csv },
  createUpload: { fileName: "more.csv", size: 10, resource: "transactions" },
  completeUpload: { sha256: sampleDigest },
  correctUploadRows: { rows: [{ row: 1, attempt: 0, cells: ["T-1"] }] },
  startUpload: { validateOnly: true, mapping },
  createMapping: { name: "Another", resource: "transactions", columns: ["Ticket"], mapping },
  changeMapping: { name: "Renamed" },
  saveView: { list: "runs", name: "Failed", query: "status=2" },
};
