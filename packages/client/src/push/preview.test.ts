import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runPush } from "../../testing/run-push.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-preview-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function previewed(rows: readonly string[], ...more: string[]) {
  const csv = join(folder, "export.csv");
  await writeFile(csv, `Ticket,Paid,Total,Status,Attendant\n${rows.join("\n")}\n`);
  const mapping = join(folder, "mapping.json");
  await writeFile(
    mapping,
    JSON.stringify({
      columns: {
        ...{ Ticket: "transactionId", Paid: { to: "transactionDate", time: "M/d/yyyy H:mm" } },
        ...{ Total: { to: "amountTotal", number: "$1,234.50" }, Status: null, Attendant: "metadata.staff" },
      },
      constants: { type: "Transient", locationUuid: "6f0d2c68-6a40-7c1e-8a52-0a1f4f3e9d10" },
      ...{ empty: ["n/a"], timeZone: "UTC", leaveOut: [{ column: "Status", values: ["VOID"] }] },
    }),
  );
  return runPush(["transactions", csv, "--mapping", mapping, "--dry-run", "--preview", ...more]);
}

const row = (id: number, status = "OK") => `E-${id},4/1/2026 14:30,$1.50,${status},n/a`;
const rows = Array.from({ length: 40 }, (_, index) => row(index));
const odd = "E-90,4/31/2026 14:30,free,REFUND,Sam";

test("a preview shows rows before and after the conversion, and the values and empty cells of each column", async () => {
  const { code, out } = await previewed([...rows, odd, row(91, "VOID")]);
  expect(code).toBe(2);
  expect(out).toContain(
    [
      "Line 2:",
      '  Ticket               "E-0"                        transactionId = "E-0"',
      '  Paid                 "4/1/2026 14:30"             transactionDate = "2026-04-01T14:30:00Z"',
      '  Total                "$1.50"                      amountTotal = 1.5',
      '  Status               "OK"  (not imported)',
      '  Attendant            "n/a"',
      "  (added)                                           type = 1",
    ].join("\n"),
  );
  expect(out).toContain("Line 42, unlike the rows before it:");
  expect(out).toContain("Line 43, unlike the rows before it, left out:");
  expect(out).toContain(
    '  Status               42 filled, 0 empty, 3 different: "OK" (40), "REFUND" (1), "VOID" (1)\n',
  );
  // Times and numbers have a smallest and a largest value, in the format of the mapping.
  const more = [...rows, row(92).replace("$1.50", "$10.25"), row(93).replace("4/1/2026", "12/1/2025")];
  const other = await previewed([
    ...more,
    row(94).replace("4/1/2026", "11/30/2025"),
    "E-95,6/1/2026 9:05,$9.75,OK,n/a",
  ]);
  expect(other.out).toMatch(/ {6,}from "11\/30\/2025 14:30" to "6\/1\/2026 9:05"\n/);
  expect(other.out).toMatch(/ {6,}from "\$1.50" to "\$10.25"\n/);
  expect(out).toMatch(
    /Attendant .* 42 filled, 0 empty, 1 different: "Sam" \(1\)\n +counts as empty: "n\/a" \(41\)\n/,
  );
  const shown = out.slice(0, out.indexOf("export.csv:"));
  const widths = shown.split("\n").map(({ length }) => length);
  expect(Math.max(...widths)).toBeLessThanOrEqual(100);
});

test("with --json the preview is data", async () => {
  const { out } = await previewed([...rows, odd], "--json");
  expect(JSON.parse(out)).toMatchObject([
    {
      preview: {
        rows: expect.arrayContaining([
          expect.objectContaining({
            ...{ line: 42, why: "unlike", problem: expect.stringContaining("amountTotal") },
          }),
        ]),
        columns: expect.arrayContaining([
          {
            ...{ column: "Status", filled: 41, empty: 0, countsAsEmpty: [], differentValues: 2 },
            values: [
              { value: "OK", count: 40 },
              { value: "REFUND", count: 1 },
            ],
          },
        ]),
      },
    },
  ]);
});

test("a preview needs --dry-run and a file", async () => {
  expect((await runPush(["transactions", "x.csv", "--preview"])).error).toContain("--dry-run");
  const stream = await runPush(["transactions", "-", "--format", "csv", "--dry-run", "--preview"], {
    input: "transactionId\n1\n",
  });
  expect(stream.error).toContain("--preview needs a file");
});
