import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { sampleOrganization } from "../../../testing/sample-organization.js";
import { kindOf, lineOf, membersOf, sealed } from "../../../testing/sealed-export.js";
import { interceptStatements } from "../../../testing/statements.js";
import { createOrganization } from "../../core/organizations/organizations.js";
import { ExportQueue } from "./export-queue.js";
import { importExport } from "./import-export.js";
import { sections } from "../../../testing/sections.js";
import { consistencyChecks } from "../../core/verify/verify.js";
import { features } from "../../features.js";

const checks = await consistencyChecks(features);

/** Files that an attacker made or altered, with correct hashes. The hashes cannot reveal the change. */
const source = useApp();
const target = useApp();
let folder: string;
let lines: string[];
let organizationId: string;
const actor = "test";

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "gatehouse-hostile-"));
  const sample = await sampleOrganization(source);
  const desk = new ExportQueue(source.database.exports, { sections, atOnce: 1, maxMs: 60_000 });
  const exported = await text(await desk.open({ organizationId: sample.organizationId, actor }));
  lines = exported.trimEnd().split("\n");
  ({ uuid: organizationId } = await createOrganization(target.database.work, { name: "Empty", actor }));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const indexOf = (kind: string) => lines.findIndex((line) => kindOf(line) === kind);

const importFile = async (content: string | Buffer) => {
  const file = path.join(folder, "hostile.ndjson");
  await writeFile(file, content);
  return importExport(target.database.exports, { organizationId, file, actor, checks, sections });
};

async function refusalOf(content: string | Buffer): Promise<string> {
  return importFile(content).then(
    () => "taken",
    (error: Error) => {
      // The only error whose message users see unchanged.
      expect(error.name, error.stack).toBe("UserError");
      return error.message;
    },
  );
}

/** The file with this line in place of the first one of the kind. */
const withLine = (kind: string, change: (line: string) => string) =>
  sealed(lines.map((line, index) => (index === indexOf(kind) ? change(line) : line)));
const withField = (kind: string, field: string, json: string) =>
  withLine(kind, (line) =>
    lineOf([...membersOf(line)].map(([name, own]) => [name, name === field ? json : own])),
  );
const at = (kind: string) => `Line ${indexOf(kind) + 1} (${kind}): `;
const unknown = "0190a0b0-0000-7000-8000-00000000abcd";

test("the error for an altered, truncated or reordered file names the line", async () => {
  const whole = `${lines.join("\n")}\n`;
  expect(await refusalOf("")).toContain("is empty or was truncated within its first line");
  expect(await refusalOf(whole.slice(0, -1))).toContain("was truncated: its last line is missing");
  expect(await refusalOf(`${lines.slice(0, 9).join("\n")}\n`)).toContain("was truncated");
  expect(await refusalOf(whole.replace("12.5", "12.6"))).toMatch(
    /^Line \d+: the lines before it were altered/,
  );
  const without = lines.filter((_, index) => index !== indexOf("transaction"));
  expect(await refusalOf(`${without.join("\n")}\n`)).toMatch(/^Line \d+: the lines before it were altered/);
  expect(await refusalOf(`${whole}${lines[0]}\n`)).toBe(
    `Line ${lines.length + 1}: the file continues after its last line`,
  );
  expect(await refusalOf(lines.slice(1).join("\n"))).toBe("Line 1: this is not an export of an organization");
  expect(await refusalOf(sealed(lines.toSpliced(1, 1)))).toBe("Line 2: a mark is expected after the head");
  const version2 = withLine("head", (line) => line.replace('"version":1', '"version":2'));
  expect(await refusalOf(version2)).toBe("Line 1: its format version is 2, but this release reads version 1");
  const reversed = lines.toSpliced(indexOf("audit"), 0, lines[indexOf("location")] as string);
  expect(await refusalOf(sealed(reversed))).toMatch(/^Line \d+: lines of location must come before those of/);
});

test("invalid lines are rejected by number, however expensive they are to read", async () => {
  expect(await refusalOf(withLine("location", () => '{"kind":"user","uuid":1}'))).toBe(
    `Line ${indexOf("location") + 1}: the kind "user" does not exist`,
  );
  expect(await refusalOf(withLine("location", () => "[]"))).toBe(
    `Line ${indexOf("location") + 1}: it does not begin with its kind`,
  );
  expect(await refusalOf(withLine("vehicle", (line) => line.slice(0, -1)))).toContain(
    `${at("vehicle")}it is not valid JSON`,
  );
  expect(await refusalOf(withLine("vehicle", (line) => `${line}{}`))).toBe(
    `${at("vehicle")}text follows the object`,
  );
  expect(
    await refusalOf(
      withLine("vehicle", (line) => line.replace('"kind":"vehicle"', '"kind":"vehicle","extra":1')),
    ),
  ).toBe(`${at("vehicle")}this release does not know the field "extra"`);
  const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  expect(await refusalOf(withField("vehicle", "metadata", deep))).toBe(
    `${at("vehicle")}it nests more than 80 levels`,
  );
  const before = lines.slice(0, indexOf("vehicle")).join("\n");
  const long = Buffer.concat([Buffer.from(`${before}\n`), Buffer.alloc(65 * 1024 * 1024, "x")]);
  expect(await refusalOf(long)).toContain(`Line ${indexOf("vehicle") + 1} has more than`);
  const bytes = Buffer.from(withField("vehicle", "make", '"caf!"'), "latin1");
  bytes[bytes.indexOf("caf!") + 3] = 0xe9;
  expect(await refusalOf(bytes)).toMatch(/^Line \d+: /);
});

test("values that do not fit their field, and rows that contradict each other, leave no data behind", async () => {
  const wrong: [kind: string, field: string, json: string, says: RegExp][] = [
    ["transaction", "uuid", '"nothing"', /uuid must be a uuid/],
    ["transaction", "amountTotal", '"1"', /amountTotal must be a number/],
    ["transaction", "position", "1.5", /position must be an integer/],
    ["transaction", "transactionId", '"a\\u0000b"', /transactionId must not contain U\+0000/],
    ["transaction", "transactionId", "null", /transactionId must not be null/],
    ["transaction", "transactionDate", '"yesterday or so"', /transactionDate must be a UTC timestamp/],
    ["transaction", "timeZone", '"Mars/Olympus"', /timeZone must be an IANA time zone/],
    ["location", "timeZone", '"Mars/Olympus"', /timeZone must be an IANA time zone/],
    ["mapping", "columns", '"not JSON"', /columns must be a list of strings, as JSON/],
    ["mapping", "mapping", '"[]"', /mapping must be the content of a mapping file/],
    ["vehicle", "metadata", "{oops}", /metadata: invalid input syntax for type json/],
    ["run", "status", "7", /status must be one of 1, 2, 3/],
  ];
  for (const [kind, field, json, says] of wrong) {
    const refusal = await refusalOf(withField(kind, field, json));
    expect(refusal, field).toMatch(says);
    expect(refusal, field).toContain(at(kind));
  }
  const apart: [kind: string, field: string, json: string, says: RegExp][] = [
    [
      "transaction",
      "locationUuid",
      `"${unknown}"`,
      /transactions\.location_id refers to a row of locations: 1 wrong rows, such as line \d+ \(transaction locationUuid, /,
    ],
    ["transaction", "contactUuid", `"${unknown}"`, /transactions\.contact_id refers to a row of contacts/],
    ["lead", "apiKeyUuid", `"${unknown}"`, /leads\.api_key_id refers to a row of api_keys/],
    ["run", "successCount", "5", /counters: the counts of a run add up/],
    ["transaction", "localDate", '"1999-01-01"', /wall clock/],
  ];
  for (const [kind, field, json, says] of apart)
    expect(await refusalOf(withField(kind, field, json)), field).toMatch(says);
  const twice = lines.toSpliced(indexOf("vehicle"), 0, lines[indexOf("vehicle")] as string);
  expect(await refusalOf(sealed(twice))).toMatch(/duplicate key value violates unique constraint/);
  const future = withField("vehicle", "uuid", '"ffffffff-0000-7000-8000-000000000000"');
  expect(await refusalOf(future)).toMatch(/which is in the future here/);
  for (const { table, mayBeThere } of sections)
    if (!mayBeThere)
      expect((await target.database.work.query(`select from ${table}`)).rowCount, table).toBe(0);
});

test("a crash in the middle leaves no data behind, and a second attempt completes the import and is rejected when repeated", async () => {
  let isKilled = false;
  const stop = interceptStatements(target.database.exports, async (texts, send, client) => {
    if (!isKilled && texts.some((statement) => statement.startsWith("copy leads"))) {
      isKilled = true;
      const { processID } = client as unknown as { processID: number };
      await target.database.work.query("select pg_terminate_backend($1::int)", [processID]);
    }
    return send();
  });
  const whole = `${lines.join("\n")}\n`;
  await expect(importFile(whole)).rejects.toThrow(/terminat|connection/i);
  stop();
  expect(isKilled).toBe(true);
  const stored = () => target.database.work.query("select from transactions");
  expect((await stored()).rowCount).toBe(0);
  // A file that was truncated and continued is just as good.
  const continued = '{"kind":"continued","takenAt":"2026-04-01T14:30:00.000Z"}';
  const imported = await importFile(`${lines.toSpliced(2, 0, continued).join("\n")}\n`);
  expect(imported.continuedAt).toEqual(["2026-04-01T14:30:00.000Z"]);
  expect(imported).toMatchObject({ lines: { transaction: 1 }, from: { name: "Test organization" } });
  expect((await stored()).rowCount).toBe(1);
  expect(await refusalOf(whole)).toMatch(/^The organization is not empty: it has locations/);
});
