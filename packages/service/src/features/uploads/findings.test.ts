import type { UploadFinding } from "@gatehouse-parking/contract";
import { expect, test } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { partnerUploads } from "../../../testing/partner-uploads.js";
import { uploader, type Uploader } from "../../../testing/uploader.js";

/** Whatever gatehouse-push says about a file, an upload of the file says too. */
const gatehouse = useApp();

const header = "transactionId,locationUuid,type,transactionDate,amountTotal,sessionStart,sessionEnd,Status";
const at = (hour: number) => `2026-04-01T${hour}:30:00Z`;
const mapping = { columns: { Status: null }, leaveOut: [{ column: "Status", values: ["VOID"] }] };

interface RowValues {
  amount?: string;
  stay?: [from: string, to: string];
  status?: string;
}

/** Each row has a valid stay unless it says another one. */
function csvRow({ locationUuid }: Uploader, id: string, values: RowValues = {}): string {
  const { amount = "5", stay = [at(10), at(11)], status = "PAID" } = values;
  return [id, locationUuid, "1", at(12), amount, ...stay, status].join(",");
}
const fileOf = (lines: readonly string[]) => [header, ...lines].join("\n");

/** Two conflicts, a repeated row, a row that is left out, an exit before its entry, and a line with totals. */
const unusualFile = (by: Uploader) =>
  fileOf([
    csvRow(by, "T-1", { amount: "9" }),
    csvRow(by, "T-2"),
    csvRow(by, "T-3", { stay: [at(11), at(10)] }),
    csvRow(by, "T-4"),
    csvRow(by, "T-4"),
    csvRow(by, "T-4", { amount: "7" }),
    csvRow(by, "T-5", { status: "VOID" }),
    "Total,,,,31,,,",
  ]);

async function uploaderWithRecords(): Promise<Uploader> {
  const by = await uploader(gatehouse);
  const stored = await by.run(fileOf([csvRow(by, "T-1"), csvRow(by, "T-2")]), { mapping });
  expect(stored).toMatchObject({ created: 2, conflicts: 0, setAside: 0, leftOut: 0, findings: [] });
  return by;
}

const rowsByCode = ({ findings }: { findings: readonly UploadFinding[] }) =>
  Object.fromEntries(findings.map(({ code, rows }) => [code, rows]));

test("an upload counts conflicts, rows that were set aside or left out, and findings with their rows and advice", async () => {
  const by = await uploaderWithRecords();
  const uuid = await by.receive(unusualFile(by));
  const counts = { skipped: 4, conflicts: 2, leftOut: 1, setAside: 1, failed: 0, rows: 7 };
  for (const validateOnly of [true, false]) {
    await by.start(uuid, { validateOnly, mapping });
    await gatehouse.app.uploads.runUntilIdle();
    const shown = await by.show(uuid);
    expect(shown).toMatchObject({ state: "finished", ...counts, created: 2 });
    expect(shown.reading).toContain('1 line set aside as not a record: line 9 "Total | 31"');
    expect(rowsByCode(shown)).toEqual({
      exitBeforeEntry: 1,
      idRepeated: 1,
      idWithOtherValues: 1,
      rowsLeftOut: 1,
    });
    expect(shown.findings).toContainEqual({
      code: "exitBeforeEntry",
      data: { start: "sessionStart", end: "sessionEnd" },
      message: "with a sessionEnd before the sessionStart",
      advice:
        'Check that sessionStart and sessionEnd are not swapped and have the same time zone. If sessionEnd is only a time of day, set "after" in the mapping.',
      rows: 1,
      examples: [{ line: 4, value: `${at(11)} - ${at(10)}` }],
    });
    expect(shown.findings).toContainEqual(
      expect.objectContaining({
        code: "idWithOtherValues",
        examples: [{ line: 7, value: "T-4", otherLine: 5 }],
      }),
    );
  }
  // A partner sees the same.
  const { findings } = await by.show(uuid);
  expect((await partnerUploads(gatehouse, by.apiKey).get(uuid)).json).toMatchObject({ ...counts, findings });
  const { json } = await partnerUploads(gatehouse, by.apiKey).ask("GET", "/uploads?pageSize=1");
  expect(json.data).toMatchObject([counts]);
});

test("conflicts are listed and downloaded in the columns of the file, apart from failed rows", async () => {
  const by = await uploaderWithRecords();
  const file = fileOf([
    csvRow(by, "T-1", { amount: "9" }),
    csvRow(by, "T-2"),
    csvRow(by, "T-3", { amount: "x" }),
  ]);
  const { uuid } = await by.run(file, { mapping });
  const list = async (rows: string) =>
    (await by.person.get(`${by.uploads}/${uuid}/failures?rows=${rows}`)).json.data;
  expect(await list("conflicts")).toMatchObject([
    {
      row: 1,
      line: 2,
      reference: "T-1",
      reasonCode: 1,
      message: expect.stringContaining("already stored with other values: amountTotal"),
      cells: expect.arrayContaining(["T-1", "9"]),
    },
  ]);
  expect(await list("failed")).toMatchObject([{ row: 3 }]);
  expect((await by.person.get(`${by.uploads}/${uuid}/failures?rows=other`)).status).toBe(400);

  const download = `${by.uploads}/${uuid}/failures.csv?rows=conflicts`;
  const { text, headers } = await by.person.get(download);
  expect(headers["content-disposition"]).toContain("conflicts.csv");
  expect(text.split("\n").map((line) => line.trim())).toEqual([
    `${header},failure.line,failure.code,failure.name,failure.detail`,
    expect.stringMatching(/^T-1,.*,9,.*,2,1,DuplicateTransactionId,.*other values: amountTotal/),
    "",
  ]);
  const partner = partnerUploads(gatehouse, by.apiKey);
  const same = await partner.ask("GET", `/uploads/${uuid}/failures.csv?rows=conflicts`);
  expect(same.text).toBe(text);
  expect((await partner.ask("GET", `/uploads/${uuid}/failures.csv`)).text).toContain("T-3");
});

test("a corrected row that turns out to be a conflict is counted and listed", async () => {
  const by = await uploaderWithRecords();
  const { uuid } = await by.run(fileOf([csvRow(by, "", { amount: "9" }), csvRow(by, "T-9")]), { mapping });
  const cells = csvRow(by, "T-1", { amount: "9" }).split(",");
  const sent = await by.person.post(`${by.uploads}/${uuid}/corrections`, {
    rows: [{ row: 1, attempt: 0, cells }],
  });
  expect(sent.json).toMatchObject({ skipped: 1, failed: 0 });
  expect(await by.show(uuid)).toMatchObject({ created: 1, skipped: 1, conflicts: 1, failed: 0 });
  const { json } = await by.person.get(`${by.uploads}/${uuid}/failures?rows=conflicts`);
  expect(json.data).toMatchObject([{ row: 1, attempt: 1, reference: "T-1" }]);
});

test("a key sees only the actions that it can do", async () => {
  const by = await uploader(gatehouse);
  const partner = partnerUploads(gatehouse, by.apiKey);
  const { uuid, actions } = await by.run(fileOf([csvRow(by, ""), csvRow(by, "T-1")]), { mapping });
  expect(actions).toEqual(["correct", "undo", "remove"]);
  expect((await partner.get(uuid)).json.actions).toEqual(["remove"]);
  const waiting = await by.receive(fileOf([csvRow(by, "T-2")]));
  await by.start(waiting, { mapping });
  expect((await partner.get(waiting)).json.actions).toEqual(["cancel"]);
  await gatehouse.database.work.query(
    "update uploads set state = 'stopped', created_count = 1 where organization_id = $1 and id = $2",
    [by.organizationId, waiting],
  );
  expect((await partner.get(waiting)).json.actions).toEqual(["start", "cancel", "remove"]);
});
