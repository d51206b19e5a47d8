import { UserError } from "../../core/refusals/user-error.js";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, test } from "vitest";
import { isLinear, timeOf, type Case } from "../../../../record-files/testing/linear-time.js";
import { slowTexts } from "../../../../record-files/testing/slow-files.js";
import { sections } from "../../../testing/sections.js";
import { amount, startRig } from "../../../../../testing/rig.js";
import { fillOrganization } from "../../../testing/filled-organization.js";
import { useApp } from "../../../testing/harness.js";
import { kindOf, sealed } from "../../../testing/sealed-export.js";
import { readRows } from "../../core/locations/import-locations.js";
import { ExportQueue } from "./export-queue.js";
import { readExport } from "./file/read-export.js";
import { readLines } from "./file/read-lines.js";

/** Compares this size with four times as much. A location file has at most 1 MiB. */
const locationBytes = amount(64 * 1024, 256 * 1024);
const exportBytes = amount(1024 * 1024, 4 * 1024 * 1024);

const gatehouse = useApp();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "gatehouse-readers-"));
  const { organizationId } = await fillOrganization(gatehouse);
  const desk = new ExportQueue(gatehouse.database.exports, { sections, atOnce: 1, maxMs: 60_000 });
  const lines = (await text(await desk.open({ organizationId, actor: "test" }))).trimEnd().split("\n");
  head = lines.slice(0, 2);
  rows = lines.filter((line) => !["head", "mark", "end"].includes(kindOf(line)));
  end = lines.slice(-2);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const place = "1 Road,Town,NY,1,UTC";
const heading = "name,address,city,state,zipcode,timeZone";
const locationFiles: { name: string; of(size: number): Buffer }[] = [
  ...slowTexts,
  {
    name: "as many locations as fit",
    of: (size) => Buffer.from(`${heading}\n${rowsOf(size / 32, (index) => `Deck ${index},${place}`)}`),
  },
  {
    name: "one location with a long name",
    of: (size) => Buffer.from(`${heading}\n${"x".repeat(size)},${place}\n`),
  },
];

function rowsOf(count: number, row: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => row(index)).join("\n");
}

/** The lines of an organization: the first and the last line, and a row of every kind between them. */
let head: string[];
let rows: string[];
let end: string[];

const exportFiles: { name: string; of(size: number): string }[] = [
  { name: "a line that does not end", of: (size) => "x".repeat(size) },
  { name: "nothing but newlines", of: (size) => "\n".repeat(size) },
  { name: "lines longer than a chunk", of: (size) => `${"x".repeat(300_000)}\n`.repeat(size / 300_000) },
  { name: "marks without end", of: (size) => sealed([...head, ...repeated(['{"kind":"mark"}'], size / 90)]) },
  {
    name: "the same rows again",
    of: (size) =>
      sealed([...head, ...rows.flatMap((row) => repeated([row], size / rows.join("").length)), ...end]),
  },
];

function repeated(lines: string[], times: number): string[] {
  return Array.from({ length: Math.ceil(times) }, () => lines).flat();
}

test("reading any file of locations takes at most linear time", async () => {
  const cases = locationFiles.map(({ name, of }): Case => ({
    name: `locations: ${name}`,
    baseBytes: locationBytes,
    run: (size) => {
      const bytes = of(size);
      return timeOf(size, async () => void (await readRows(bytes)), UserError);
    },
  }));
  await isLinear(startRig("readers: locations"), cases, locationBytes);
});

test.each([
  ["lines", readLines],
  ["parts", (file: string) => readExport(file, sections)],
] as const)("splitting an export into %s takes at most linear time", async (what, read) => {
  const cases = exportFiles.map(({ name, of }): Case => ({
    name: `export, ${what}: ${name}`,
    baseBytes: exportBytes,
    run: async (size) => {
      const file = path.join(folder, "export.ndjson");
      await writeFile(file, of(size));
      return timeOf(
        size,
        async () => {
          for await (const _ of read(file));
        },
        UserError,
      );
    },
  }));
  await isLinear(startRig(`readers: export, ${what}`), cases, exportBytes);
});
