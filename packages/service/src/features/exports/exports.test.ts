import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fillOrganization, type FilledOrganization } from "../../../testing/filled-organization.js";
import { useApp, type TestApp } from "../../../testing/harness.js";
import { importer } from "../../../testing/importer.js";
import { createApiKey } from "../../core/organizations/api-keys.js";
import { createOrganization } from "../../core/organizations/organizations.js";
import { undoRun } from "../undo/undo-run.js";
import { verifyStoredData } from "../../../testing/verify.js";
import { ExportQueue } from "./export-queue.js";
import { writeExport } from "./file/write-export.js";
import { importExport } from "./import-export.js";
import { columnsLeftOut, tablesLeftOut } from "./left-out.js";
import { sections } from "../../../testing/sections.js";
import { consistencyChecks } from "../../core/verify/verify.js";
import { features } from "../../features.js";

const checks = await consistencyChecks(features);

// Two installations: an export of one is imported into the other, and the tests compare both.
const source = useApp();
const target = useApp();
let folder: string;
let filled: FilledOrganization;
let exported: string;
let moved: { organizationId: string; apiKey: string };

const limits = { sections, atOnce: 2, maxMs: 60_000, linesPerMark: 4 };
const actor = "test";
const deskOf = ({ database }: TestApp) => new ExportQueue(database.exports, limits);

async function exportText(gatehouse: TestApp, organizationId: string): Promise<string> {
  const file = path.join(folder, `${organizationId}.ndjson`);
  await rm(file, { force: true });
  const desk = deskOf(gatehouse);
  await writeExport(desk, { organizationId, file, actor });
  await desk.settled();
  return readFile(file, "utf8");
}

// oxlint-disable-next-line typescript/no-explicit-any
type AnyLine = any;
const linesOf = (text: string): AnyLine[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

async function emptyOrganization(gatehouse: TestApp): Promise<{ organizationId: string; apiKey: string }> {
  const { work } = gatehouse.database;
  const { uuid } = await createOrganization(work, { name: "Moved", actor });
  const { key } = await createApiKey(work, { organizationId: uuid, name: "new", actor });
  return { organizationId: uuid, apiKey: key };
}

async function importText(text: string | Buffer, organizationId: string) {
  const file = path.join(folder, "to-import.ndjson");
  await writeFile(file, text);
  return importExport(target.database.exports, { organizationId, file, actor, checks, sections });
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "gatehouse-exports-"));
  filled = await fillOrganization(source);
  exported = await exportText(source, filled.organizationId);
  moved = await emptyOrganization(target);
  await importText(exported, moved.organizationId);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test("the test data has lines of every kind", () => {
  const { lines } = linesOf(exported).at(-1);
  expect(Object.entries(lines).filter(([, count]) => count === 0)).toEqual([]);
  expect(Object.keys(lines)).toEqual(sections.map(({ kind }) => kind));
});

test("exporting an imported organization gives the same lines, except for the head and the new organization's own audit log", async () => {
  const again = await exportText(target, moved.organizationId);
  const isOwn = (line: string) => /"kind":"(head|mark|end)"/.test(line);
  const rows = (text: string) =>
    text
      .trimEnd()
      .split("\n")
      .filter((line) => !isOwn(line));
  const before = new Set(rows(exported));
  const added = rows(again).filter((line) => !before.delete(line));
  expect([...before]).toEqual([]);
  expect(
    added.map((line) => JSON.parse(line)).map(({ kind, action, name }) => `${kind} ${action ?? name}`),
  ).toEqual([
    "apiKey new",
    "audit organization.create",
    "audit api-key.create",
    "audit organization.configure",
    "audit organization.import-export",
    "audit organization.export",
  ]);
});

test("an export cannot be imported into the installation it comes from, and the error says so", async () => {
  const { organizationId } = await emptyOrganization(source);
  const file = path.join(folder, "from-here.ndjson");
  await writeFile(file, exported);
  await expect(
    importExport(source.database.exports, { organizationId, file, actor, checks, sections }),
  ).rejects.toThrow(`The organization of this export, ${filled.organizationId}, is on this installation`);
});

test("the public API gives the same answers on both sides: locations, the list of imports and every import", async () => {
  const ask = async (url: string) => {
    const here = await source.send({ url, key: filled.apiKey });
    const there = await target.send({ url, key: moved.apiKey });
    expect(there.status, url).toBe(200);
    expect(there.text, url).toBe(here.text);
    return there.json;
  };
  await ask("/integrations/locations?pageSize=500");
  const { data } = await ask("/integrations/imports?pageSize=100");
  expect(data.length).toBeGreaterThan(7);
  for (const { referenceUuid } of data) await ask(`/integrations/imports/${referenceUuid}`);
});

test("resent records match the imported ones under the same UUIDs, and later records are newer", async () => {
  const newest = linesOf(exported)
    .filter(({ kind }) => kind === "run")
    .at(-1).referenceUuid;
  for (const { resource, body, run } of filled.batches) {
    const again = (await target.post(`/integrations/${resource}`, moved.apiKey, body)).json;
    const created = run.results.filter(({ status }) => status === 1);
    expect(again.results.filter(({ status }: { status: number }) => status === 3)).toMatchObject(
      run.results.filter(({ status }) => status !== 4).map(({ reference, uuid }) => ({ reference, uuid })),
    );
    expect(again.successCount, JSON.stringify(created)).toBe(0);
    expect(again.referenceUuid > newest).toBe(true);
  }
  const { key, lead, leadUuid } = filled.onceOnly;
  const headers = { "idempotency-key": key, "content-type": "application/json" };
  const payload = JSON.stringify(lead);
  const submitted = await target.send({
    ...{ method: "POST", url: "/lead/submit", key: moved.apiKey, headers, payload },
  });
  expect(submitted.json).toMatchObject({ success: true, leadUuid });
  expect(await verifyStoredData(target.connectionString)).toMatchObject({ ok: true });
});

test("an export shows one moment: later changes are not in it, and an import that is undone meanwhile is", async () => {
  const partner = await importer(source);
  const run = await partner.importTransactions(
    ...Array.from({ length: 9 }, (_, index) => partner.transaction(`T-${index}`)),
  );
  const { organizationId } = partner;
  const desk = deskOf(source);
  const file = await desk.open({ organizationId, actor });
  const pieces: string[] = [];
  for await (const piece of file as AsyncIterable<string>) {
    pieces.push(piece);
    if (pieces.length !== 1) continue;
    await partner.importAccounts({ tpReferenceId: "late", name: "Late" });
    await undoRun(source.database.work, {
      ...{ organizationId, runId: run.referenceUuid, undoDays: 7, version: undefined, actor },
    });
  }
  const lines = linesOf(pieces.join(""));
  const of = (wanted: string) => lines.filter(({ kind }) => kind === wanted);
  expect(of("account")).toEqual([]);
  expect(of("transaction")).toHaveLength(9);
  expect(of("run")).toMatchObject([{ referenceUuid: run.referenceUuid, undoneAt: null }]);
  const elsewhere = await emptyOrganization(target);
  expect(await importText(pieces.join(""), elsewhere.organizationId)).toMatchObject({
    lines: { transaction: 9 },
  });
});

test("an export contains no secrets and no erased people", async () => {
  const { rows } = await source.database.work.query(
    `select encode(hash, 'hex') as secret from api_keys
     union all select password_hash from users where password_hash is not null
     union all select encode(token_hash, 'hex') from sessions`,
  );
  expect(rows.length).toBeGreaterThan(2);
  for (const { secret } of rows) expect(exported).not.toContain(secret);
  expect(exported).not.toContain(filled.apiKey);
  for (const trace of [filled.erased, "Erasable", "erase me"]) expect(exported).not.toContain(trace);
});

test("every column of every organization table is in the export or listed as left out", async () => {
  const { rows } = await source.database.work.query<{ table_name: string; column_name: string }>(
    `select table_name, column_name from information_schema.columns as c
     where table_schema = 'public' and exists (
       select from information_schema.columns as o
       where o.table_name = c.table_name and o.column_name = 'organization_id')`,
  );
  const known = new Set(
    sections.flatMap(({ table, fields, computed = [] }) =>
      [{ column: "organization_id" }, ...fields, ...computed].map(({ column }) => `${table}.${column}`),
    ),
  );
  const isKnown = (table: string, column: string) =>
    known.has(`${table}.${column}`) || table in tablesLeftOut || `${table}.${column}` in columnsLeftOut;
  const stored = rows.map((row) => `${row.table_name}.${row.column_name}`);
  expect(rows.filter((row) => !isKnown(row.table_name, row.column_name))).toEqual([]);
  expect([...known, ...Object.keys(columnsLeftOut)].filter((column) => !stored.includes(column))).toEqual([]);
});
