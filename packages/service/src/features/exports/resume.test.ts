import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import fc from "../../../../../testing/properties.js";
import { sections } from "../../../testing/sections.js";
import { fillOrganization, type FilledOrganization } from "../../../testing/filled-organization.js";
import { useApp } from "../../../testing/harness.js";
import { importer } from "../../../testing/importer.js";
import { erasePerson } from "../people/erase-person.js";
import { undoRun } from "../undo/undo-run.js";
import { ExportQueue } from "./export-queue.js";
import { continueFile, writeExport } from "./file/write-export.js";

const gatehouse = useApp();
let folder: string;
let filled: FilledOrganization;
let whole: Buffer;
const actor = "test";
const limits = { sections, atOnce: 2, maxMs: 60_000, linesPerMark: 4 };
const desk = () => new ExportQueue(gatehouse.database.exports, limits);

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "gatehouse-resume-"));
  filled = await fillOrganization(gatehouse);
  const file = path.join(folder, "whole.ndjson");
  await writeExport(desk(), { organizationId: filled.organizationId, file, actor });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  whole = await readFile(file);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const withoutContinued = (bytes: Buffer) =>
  bytes.toString().replaceAll(/^\{"kind":"continued","takenAt":"[^"]*"\}\n/gm, "");
/** The second line is the first mark. */
const firstMarkEnd = () => whole.indexOf("\n", whole.indexOf("\n") + 1) + 1;
const startOfEnd = () => whole.lastIndexOf("\n", whole.length - 2) + 1;

test("an export that is interrupted anywhere, twice, is completed to the same bytes, except for the lines that record it", async () => {
  const cut = () => fc.integer({ min: firstMarkEnd(), max: startOfEnd() });
  await fc.assert(
    fc.asyncProperty(cut(), cut(), async (one, other) => {
      const file = path.join(folder, "cut.ndjson.partial");
      await writeFile(file, whole.subarray(0, one));
      const completed = await continueFile(desk(), { file, actor });
      expect(completed).toBe(path.join(folder, "cut.ndjson"));
      const bytes = await readFile(completed);
      expect(withoutContinued(bytes)).toBe(whole.toString());
      // Interrupted again; now the file has the line of the first time.
      await writeFile(file, bytes.subarray(0, Math.max(other, firstMarkEnd())));
      const twice = await readFile(await continueFile(desk(), { file, actor }));
      expect(withoutContinued(twice)).toBe(whole.toString());
    }),
    { numRuns: 5 },
  );
});

const auditEntries = async () => (await gatehouse.database.work.query("select from audit_log")).rowCount;

test("if the file cannot be written, nothing is exported, and the error does not suggest continuing", async () => {
  const before = await auditEntries();
  const exportTo = (file: string) =>
    writeExport(desk(), { organizationId: filled.organizationId, file, actor });
  await expect(exportTo(folder)).rejects.toThrow(`${folder} is a folder, not a file`);
  const missing = path.join(folder, "absent");
  await expect(exportTo(path.join(missing, "x.ndjson"))).rejects.toMatchObject({
    code: "ENOENT",
    path: missing,
  });
  expect(await auditEntries()).toBe(before);
});

test("a continued export does not contain data that was created since it began", async () => {
  const [, first = ""] = whole.toString().split("\n");
  await filled.importTransactions(
    filled.transaction("T-later", { account: { tpReferenceId: "later", name: "L" } }),
  );
  await gatehouse.post("/lead/submit", filled.apiKey, {
    email: "later@example.com",
    locationUuid: filled.locationUuid,
  });
  const { organizationId } = filled;
  const rest = await text(await desk().open({ organizationId, actor, resume: JSON.parse(first).resume }));
  expect(rest.split("\n").slice(1).join("\n")).toBe(whole.toString().split("\n").slice(2).join("\n"));
});

test("a position that was not issued by an export is rejected", async () => {
  const [, first = ""] = whole.toString().split("\n");
  const told = JSON.parse(Buffer.from(JSON.parse(first).resume, "base64url").toString());
  const { organizationId } = filled;
  const runId = "01000000-0000-7000-8000-000000000000";
  for (const after of [[runId, "2147483648"], [runId, ["5"]], [runId, 5], [runId], ["5", "5"]]) {
    const position = { ...told, section: "exception", after };
    const resume = Buffer.from(JSON.stringify(position)).toString("base64url");
    await expect(desk().open({ organizationId, actor, resume }), JSON.stringify(after)).rejects.toThrow(
      "resume must be the exact value of a mark",
    );
  }
});

test("an export cannot be continued after an import was undone, a person was erased or a late import was added", async () => {
  const refusalAfter = async (change: (one: FilledOrganization) => Promise<unknown>) => {
    const partner = await importer(gatehouse);
    const run = await partner.importTransactions(
      partner.transaction("T-1", { contact: { email: "jo@example.com" } }),
    );
    const { organizationId } = partner;
    const [, mark = ""] = (await text(await desk().open({ organizationId, actor }))).split("\n");
    await change({ ...partner, batches: [{ run }] } as unknown as FilledOrganization);
    return desk()
      .open({ organizationId, actor, resume: JSON.parse(mark).resume })
      .then(
        (rest) => (rest.destroy(), "continued"),
        (error: Error) => `${error.name}: ${error.message}`,
      );
  };
  const { work } = gatehouse.database;
  const undone = ({ organizationId, batches }: FilledOrganization) =>
    undoRun(work, {
      ...{ organizationId, runId: batches[0]?.run.referenceUuid as string, undoDays: 7 },
      ...{ version: undefined, actor },
    });
  expect(await refusalAfter(undone)).toMatch(
    /^UserError: .* contacts had 1 rows and now has 0\. Start a new export$/,
  );
  const erased = ({ organizationId }: FilledOrganization) =>
    erasePerson(work, { organizationId, email: "jo@example.com", actor });
  expect(await refusalAfter(erased)).toMatch(/^UserError: A person was erased since this export began/);
  const late = ({ organizationId }: FilledOrganization) =>
    work.query(
      `insert into import_runs (organization_id, id, resource, status, started_at, completed_at, duration_ms,
         total_submitted, success_count, failed_count, skipped_count)
       values ($1, '01000000-0000-7000-8000-000000000000', 1, 2, now(), now(), 0, 1, 0, 1, 0)`,
      [organizationId],
    );
  expect(await refusalAfter(late)).toMatch(/^UserError: .* import_runs had 1 rows and now has 2/);
  expect(await refusalAfter(() => Promise.resolve())).toBe("continued");
});
