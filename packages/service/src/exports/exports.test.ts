import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fillOrganization, type FilledOrganization } from "../../testing/filled-organization.js";
import { useApp, type TestApp } from "../../testing/harness.js";
import { createApiKey } from "../organizations/api-keys.js";
import { createOrganization } from "../organizations/organizations.js";
import { verifyStoredData } from "../verify/verify.js";
import { ExportDesk } from "./export-desk.js";
import { writeExport } from "./file/write-export.js";
import { importExport } from "./import-export.js";
import { sections } from "./sections.js";

// Two installations: what is exported from one is imported into the other, and both are compared.
const source = useApp();
const target = useApp();
let folder: string;
let filled: FilledOrganization;
let exported: string;
let moved: { organizationId: string; apiKey: string };

const limits = { atOnce: 2, maxMs: 60_000, linesPerMark: 4 };
const actor = "test";
const deskOf = ({ database }: TestApp) => new ExportDesk(database.exports, limits);

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
const linesOf = (text: string): AnyLine[] => text.trimEnd().split("\n").map((line) => JSON.parse(line));

async function emptyOrganization(gatehouse: TestApp): Promise<{ organizationId: string; apiKey: string }> {
  const { work } = gatehouse.database;
  const { uuid } = await createOrganization(work, { name: "Moved", actor });
  const { key } = await createApiKey(work, { organizationId: uuid, name: "new", actor });
  return { organizationId: uuid, apiKey: key };
}

async function importText(text: string | Buffer, organizationId: string) {
  const file = path.join(folder, "to-import.ndjson");
  await writeFile(file, text);
  return importExport(target.database.exports, { organizationId, file, actor });
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "gatehouse-exports-"));
  filled = await fillOrganization(source);
  exported = await exportText(source, filled.organizationId);
  moved = await emptyOrganization(target);
  await importText(exported, moved.organizationId);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test("the rig has lines of every kind", () => {
  const { lines } = linesOf(exported).at(-1);
  expect(Object.entries(lines).filter(([, count]) => count === 0)).toEqual([]);
  expect(Object.keys(lines)).toEqual(sections.map(({ kind }) => kind));
});

test("an export of what was imported from one has the same lines, but for the head and the new organization's own trail", async () => {
  const again = await exportText(target, moved.organizationId);
  const isOwn = (line: string) => /"kind":"(head|mark|end)"/.test(line);
  const rows = (text: string) => text.trimEnd().split("\n").filter((line) => !isOwn(line));
  const before = new Set(rows(exported));
  const added = rows(again).filter((line) => !before.delete(line));
  expect([...before]).toEqual([]);
  expect(added.map((line) => JSON.parse(line)).map(({ kind, action, name }) => `${kind} ${action ?? name}`)).toEqual([
    "apiKey new",
    "audit organization.create",
    "audit api-key.create",
    "audit organization.configure",
    "audit organization.import-export",
    "audit organization.export",
  ]);
});
