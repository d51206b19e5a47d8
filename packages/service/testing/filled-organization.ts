import { expect } from "vitest";
import type { ImportResourceName, ImportRun } from "@gatehouse-parking/contract";
import { configureOrganization } from "../src/core/organizations/configure-organization.js";
import { erasePerson } from "../src/features/people/erase-person.js";
import { undoRun } from "../src/features/undo/undo-run.js";
import type { TestApp } from "./harness.js";
import { importer, type Importer } from "./importer.js";
import { between, deleteBefore } from "./retention.js";
import { transactionFile, uploaderOf } from "./uploader.js";

export interface FilledOrganization extends Importer {
  /** Everything that was imported and still exists, as it was sent. */
  batches: { resource: ImportResourceName; body: string; run: ImportRun }[];
  /** Leads that were sent with an Idempotency-Key. */
  onceOnly: { key: string; lead: object; leadUuid: string };
  /** Erased people, whose data must not reappear. */
  erased: string;
}

const odd = 'Tab\t, quote ", backslash \\, line\nbreak, \u2028, 漢字, 🅿️, \\N, {}, é';
const metadata =
  '{\r\n\t"exact": 12345678901234567890.0123456789, "tiny": 1e-400,\n "nul": "\\u0000", "half": "\\ud800", "__proto__": {"deep": [[[]]]}, "line": "a\\nb" }';

/**
 * An organization with everything that one can have: every outcome, imports undone completely and partly, an erased
 * person, leads with status changes and notes, files, and values at the limits.
 */
export async function fillOrganization(gatehouse: TestApp): Promise<FilledOrganization> {
  const partner = await importer(gatehouse);
  const { organizationId, apiKey, locationUuid } = partner;
  const { work } = gatehouse.database;
  const batches: FilledOrganization["batches"] = [];
  const send = async (resource: ImportResourceName, records: string[]): Promise<ImportRun> => {
    const body = `{"metadata": ${metadata}, "${resource}": [\n${records.join(",\n")}\n]}`;
    const answer = await partner.post(resource, body);
    expect(answer.status, answer.text).toBe(200);
    batches.push({ resource, body, run: answer.json });
    return answer.json;
  };
  const transaction = (id: string, fields: object = {}) =>
    JSON.stringify(partner.transaction(id, fields)).replace(/\}$/, `, "metadata": ${metadata}}`);
  await configureOrganization(work, () => Promise.reject(new Error("no secret")), {
    ...{ organizationId, honeypotField: "website", leadOrigins: ["https://www.example.com"] },
    ...{ hasSeveralCurrencies: true, keepsDeletedKeys: true, keepsReplaysOnce: true, actor: "test" },
  });
  // Deleted by retention. Its key is remembered, and two replays of it are stored once.
  await send("transactions", [transaction("T-old", { account: { tpReferenceId: "A-old", name: "Old" } })]);
  const deletion = { moment: await between(), keepsKeys: true };
  expect(await deleteBefore(gatehouse, partner, deletion)).toBe(2);
  for (let replay = 1; replay <= 2; replay += 1) await send("transactions", [transaction("T-old")]);

  await send("accounts", [
    JSON.stringify({ tpReferenceId: odd, name: odd, contactEmail: "jo@example.com", locationUuid }),
    '{"name": "without a key"}',
    '{"tpReferenceId": "\\u0000", "name": "unusable"}',
  ]);
  await send("subscriptions", [
    JSON.stringify({
      tpReferenceId: "S-0",
      accountTPReferenceId: odd,
      startDate: "2026-01-01",
      currentRate: 0.1,
    }),
    JSON.stringify({ tpReferenceId: "S-9", accountTPReferenceId: "unknown" }),
  ]);
  await send("transactions", [
    transaction("T-odd", {
      ...{ transactionDate: "0000-01-01T00:00:00Z", sessionEnd: "9999-12-31T23:59:59.999Z" },
      ...{
        amountTotal: 999_999_999_999.99,
        netAmount: -0.000_000_1,
        promotionAmount: null,
        isRefunded: false,
      },
      account: { tpReferenceId: "A-1", name: "Acme", metadata: { vip: true } },
      contact: { email: "Jo@Example.com", phoneNumber: "+1-555-010-0123", firstName: odd.slice(0, 20) },
      vehicle: { licensePlate: "ab c-1", year: 1999 },
      subscription: { tpReferenceId: "S-1" },
    }),
    ...Array.from({ length: 8 }, (_, index) =>
      transaction(`T-${index}`, { contact: { email: `c${index}@example.com`, lastName: "Doe" } }),
    ),
    ...Array.from({ length: 103 }, (_, index) => JSON.stringify({ transactionId: `F-${index}`, type: 9 })),
  ]);
  // Skipped with a difference, and from a partly undone import, because another record refers to it.
  await send("transactions", [transaction("T-odd", { cardType: "other" }), transaction("T-1")]);
  const undone = await partner.importTransactions(
    partner.transaction("U-1", { account: { tpReferenceId: "A-kept", name: "Kept" } }),
    partner.transaction("U-2", { vehicle: { licensePlate: "GONE 1" } }),
  );
  await send("transactions", [transaction("T-ref", { accountTPReferenceId: "A-kept" })]);
  await undoRun(work, {
    ...{
      organizationId,
      runId: undone.referenceUuid,
      undoDays: 7,
      version: undefined,
      actor: "ann@example.com",
    },
  });

  const lead = { email: "lead@example.com", locationUuid, notes: odd, metadata: { nul: "\u0000" } };
  const key = "once";
  const submit = async (body: object, headers = {}) => {
    const answer = await gatehouse.send({
      ...{ method: "POST", url: "/lead/submit", key: apiKey, payload: JSON.stringify(body) },
      headers: { "content-type": "application/json", ...headers },
    });
    expect(answer.status, answer.text).toBe(200);
    return answer.json.leadUuid as string;
  };
  const leadUuid = await submit(lead, { "idempotency-key": key });
  await submit({ ...lead, website: "a bot" });
  await submit({ email: "erased@example.com", locationUuid, notes: "erase me" });
  const erased = "erased@example.com";
  await partner.importTransactions(
    partner.transaction("T-erased", { contact: { email: erased, firstName: "Erasable" } }),
  );

  const by = await uploaderOf(gatehouse, partner, "admin");
  const leads = `/organizations/${organizationId}/leads/${leadUuid}`;
  const followUp = { workState: "contacted", assigneeUuid: by.person.userId };
  expect((await by.person.patch(leads, followUp)).status).toBe(200);
  expect((await by.person.post(`${leads}/notes`, { text: odd })).status).toBe(200);
  const failing = (index: number) => (index === 2 ? "VALET" : "1");
  const uploaded = await by.run(transactionFile(by, 3, failing).replaceAll("T-", "file-"));
  expect(uploaded).toMatchObject({ state: "finished", created: 2, failed: 1 });
  const cells = by.line("file-3").trim().split(",");
  const corrected = await by.person.post(`${by.uploads}/${uploaded.uuid}/corrections`, {
    rows: [{ row: 3, attempt: 0, cells }],
  });
  expect(corrected.json).toMatchObject({ created: 1 });
  // Still has its file.
  await by.receive(transactionFile(by, 1));
  const mapping = { name: "Garage", resource: "transactions", columns: ["Ticket"] };
  await by.person.post(`/organizations/${organizationId}/mappings`, {
    ...mapping,
    mapping: { columns: { Ticket: "transactionId" } },
  });
  await erasePerson(work, { organizationId, email: erased, actor: "test" });
  return { ...partner, batches, onceOnly: { key, lead, leadUuid }, erased };
}
