import { gzipSync } from "node:zlib";
import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { configure } from "../../../testing/retention.js";
import { transactionFile, transactionHeader, uploader } from "../../../testing/uploader.js";
import { fingerprintOf } from "../../core/imports/read/read-records.js";

const gatehouse = useApp();

async function stored(organizationId: string): Promise<string[]> {
  const { rows } = await gatehouse.database.work.query<{ id: string }>(
    "select transaction_id as id from transactions where organization_id = $1 order by id",
    [organizationId],
  );
  return rows.map(({ id }) => id);
}

test("a file is imported in batches of the published size, which the upload lists", async () => {
  const by = await uploader(gatehouse);
  const upload = await by.run(transactionFile(by, 1_201));
  expect(upload).toMatchObject({
    state: "finished",
    pass: "import",
    fileName: "sessions.csv",
    createdBy: by.person.email,
    rows: 1_201,
    totalRows: 1_201,
    created: 1_201,
    skipped: 0,
    failed: 0,
    runCount: 3,
    progress: 1,
    isFileKept: false,
    actions: ["undo", "remove"],
    columns: ["transactionId", "locationUuid", "type", "transactionDate"],
  });
  expect(await stored(by.organizationId)).toHaveLength(1_201);
  const runs = (await by.person.get(`${by.uploads}/${upload.uuid}/runs?limit=2`)).json;
  expect(runs.data).toMatchObject([
    { firstLine: 2, lastLine: 501, rows: 500, created: 500 },
    { firstLine: 502, lastLine: 1_001, rows: 500, created: 500 },
  ]);
  const rest = (await by.person.get(`${by.uploads}/${upload.uuid}/runs?limit=2&after=${runs.nextAfter}`))
    .json;
  expect(rest).toMatchObject({ data: [{ rows: 201, lastLine: 1_202 }], nextAfter: null });
  const run = await by.person.get(`/organizations/${by.organizationId}/runs/${rest.data[0].referenceUuid}`);
  expect(JSON.parse(run.json.metadata)).toEqual({
    source: "console upload",
    file: "sessions.csv",
    upload: upload.uuid,
  });
});

test("a record of a file is recognized when it is resent, and its numbers and metadata are exact", async () => {
  const by = await uploader(gatehouse);
  const rest = `"locationUuid":"${by.locationUuid}","type":1,"transactionDate":"2026-04-01T14:30:00Z"`;
  const metadata = '{"big":12345678901234567890.10,"z":"\\u0041"}';
  const lines = ["T-1", "T-2"].map(
    (id) =>
      `{"transactionId":"${id}",${rest},"amountTotal":12.50,"vehicle":{"licensePlate":"ABC","metadata":${metadata}}}`,
  );
  expect(await by.run(lines.join("\n"))).toMatchObject({ state: "finished", created: 2 });
  const { rows } = await gatehouse.database.work.query(
    `select encode(transactions.fingerprint, 'hex') as fingerprint, amount_total::text as amount, vehicles.metadata::text
     from transactions join vehicles on vehicles.id = vehicle_id where transactions.organization_id = $1
     order by transactions.position`,
    [by.organizationId],
  );
  expect(rows).toEqual(
    lines.map((line) => ({ fingerprint: fingerprintOf(line), amount: "12.50", metadata })),
  );
  const again = await gatehouse.post(
    "/integrations/transactions",
    by.apiKey,
    `{"transactions":[${lines.join(",")}]}`,
  );
  expect(again.json).toMatchObject({ skippedCount: 2, failedCount: 0 });
});

test("an upload stores all failed rows, an import its first 100", async () => {
  const by = await uploader(gatehouse);
  // Every second row has an unknown type.
  const upload = await by.run(transactionFile(by, 700, (index) => (index % 2 === 0 ? "9" : "1")));
  expect(upload).toMatchObject({ state: "finished", created: 350, failed: 350 });
  const failures = [];
  for (let after: number | null = 0; after !== null;) {
    const page: { data: object[]; nextAfter: number | null } = (
      await by.person.get(`${by.uploads}/${upload.uuid}/failures?limit=100&after=${after}`)
    ).json;
    failures.push(...page.data);
    after = page.nextAfter;
  }
  expect(failures).toHaveLength(350);
  expect(failures[0]).toEqual({
    row: 1,
    line: 2,
    reference: "T-1",
    reasonCode: 5,
    message: "type must be one of 1, 2, 3, 4",
    cells: ["T-1", by.locationUuid, "9", "2026-04-01T14:30:00Z"],
    attempt: 0,
    correctedBy: null,
  });
  expect(failures.at(-1)).toMatchObject({ row: 699, line: 700, reference: "T-699" });
});

test("a page of failures is limited in size", async () => {
  const by = await uploader(gatehouse);
  const failing = (id: string) =>
    JSON.stringify({ transactionId: id, cardType: "x".repeat(900_000), type: 9 });
  const small = JSON.stringify({ transactionId: "T-0", type: 9 });
  const upload = await by.run([small, ...["T-1", "T-2", "T-3", "T-4", "T-5"].map(failing)].join("\n"));
  expect(upload).toMatchObject({ failed: 6 });
  const pages = [];
  for (let after: number | null = 0; after !== null;) {
    const page: { data: { line: number }[]; nextAfter: number | null } = (
      await by.person.get(`${by.uploads}/${upload.uuid}/failures?limit=100&after=${after}`)
    ).json;
    pages.push(page.data.map(({ line }) => line));
    after = page.nextAfter;
  }
  expect(pages).toEqual([[1, 2, 3], [4, 5], [6]]);
});

test("outcomes are downloaded in the columns of the file, and failed rows in a file that can be corrected and uploaded", async () => {
  const by = await uploader(gatehouse);
  const extra = { mapping: { columns: { note: null } } };
  const header = transactionHeader.replace("\n", ",note\n");
  const content = [by.line("T-1"), by.line("=T;=2", "9"), by.line("T-3", "x")].map((line) =>
    line.replace("\n", ",'+1 note\n"),
  );
  const upload = await by.run(header + content.join(""), extra);
  expect(upload).toMatchObject({ created: 1, failed: 2 });
  const at = `${by.uploads}/${upload.uuid}`;
  const outcomes = parse((await by.person.get(`${at}/outcomes.csv`)).text, { bom: true, columns: true });
  expect(outcomes).toMatchObject([
    {
      transactionId: "T-1",
      type: "1",
      outcome: "Created",
      uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      message: "",
    },
    { transactionId: "'=T;'=2", outcome: "Failed", uuid: "", message: "type must be one of 1, 2, 3, 4" },
    { transactionId: "T-3", type: "x", outcome: "Failed" },
  ]);
  const { text } = await by.person.get(`${at}/failures.csv`);
  expect(parse(text, { bom: true, columns: true })).toMatchObject([
    { transactionId: "'=T;'=2", note: "''+1 note", "failure.line": "3", "failure.code": "5" },
    { transactionId: "T-3", "failure.line": "4" },
  ]);
  const corrected = await by.run(text.replace(",9,", ",2,").replace(",x,", ",3,"), extra);
  expect(corrected).toMatchObject({ state: "finished", created: 2, failed: 0 });
  // Cells that a spreadsheet would execute were written with an apostrophe, which the upload removed.
  expect(await stored(by.organizationId)).toEqual(expect.arrayContaining(["=T;=2", "T-3"]));
  const audited = await by.person.get(`/organizations/${by.organizationId}/audit`);
  expect(audited.json.data.map(({ action }: { action: string }) => action)).toEqual(
    expect.arrayContaining(["upload.create", "upload.start", "upload.download"]),
  );
});

test("a check stores nothing and groups problems by field and message, with an example", async () => {
  const by = await uploader(gatehouse);
  const file = transactionFile(by, 1_000, (index) =>
    index % 4 === 0 ? "VALET" : index % 5 === 0 ? "9" : "1",
  );
  const upload = await by.run(`${file}T-0,,1,04/05/2026 10:00\n`, { validateOnly: true });
  expect(upload).toMatchObject({
    state: "finished",
    pass: "check",
    rows: 1_001,
    created: 600,
    failed: 401,
    runCount: 0,
  });
  expect(upload.problems).toEqual([
    {
      ...{ field: "type", message: "must be one of 1, 2, 3, 4", reasonCode: 5 },
      ...{ count: 400, example: "VALET", line: 2 },
    },
    {
      ...{
        field: "transactionDate",
        message: expect.stringMatching(/^can be read as M.* and as d.*$/),
        reasonCode: null,
      },
      ...{ count: 1, example: "04/05/2026 10:00", line: 1_002 },
    },
  ]);
  expect(await stored(by.organizationId)).toEqual([]);
  // The stored file is imported with the results of the check.
  expect(upload.actions).toContain("start");
  const mapping = { columns: { type: { to: "type", values: { VALET: "Flex", "9": 4 } } } };
  expect((await by.start(upload.uuid, { mapping })).json).toMatchObject({ state: "waiting", pass: "import" });
  await gatehouse.app.uploads.runUntilIdle();
  expect(await by.show(upload.uuid)).toMatchObject({ state: "finished", created: 1_000, failed: 1 });
  // The rows of the check are gone.
  await gatehouse.app.uploads.cleanUp();
  const { rows } = await gatehouse.database.work.query(
    `select distinct pass_number, (select count(*)::int from upload_pieces where upload_id = $1) as pieces
     from upload_batches where upload_id = $1`,
    [upload.uuid],
  );
  expect(rows).toEqual([{ pass_number: 2, pieces: 0 }]);
});

test("a file whose first batches fail completely is stopped, and can be resumed", async () => {
  const by = await uploader(gatehouse);
  const upload = await by.run(transactionFile(by, 2_100, (index) => (index < 2_000 ? "9" : "1")));
  expect(upload).toMatchObject({ state: "stopped", rows: 1_500, failed: 1_500 });
  expect(upload.problem).toMatch(/^All of the first 1,500 rows failed/);
  expect(upload.actions).toEqual(["start", "resume", "correct", "cancel", "remove"]);
  expect((await by.act(upload.uuid, "resume")).json).toMatchObject({ state: "waiting", problem: null });
  await gatehouse.app.uploads.runUntilIdle();
  expect(await by.show(upload.uuid)).toMatchObject({
    state: "finished",
    rows: 2_100,
    created: 100,
    failed: 2_000,
  });
  expect(await stored(by.organizationId)).toHaveLength(100);
});

test("a file is stopped before the batch that exceeds the quota, and can be resumed after that", async () => {
  const by = await uploader(gatehouse);
  await configure(gatehouse, by, { quotas: { records: 600 } });
  const upload = await by.run(transactionFile(by, 700));
  expect(upload).toMatchObject({ state: "stopped", rows: 500, created: 500, failed: 0 });
  expect(upload.problem).toMatch(
    /may store 600 records. It stores 500, and this batch would add 200.*Resume when there is room$/,
  );
  expect(await stored(by.organizationId)).toHaveLength(500);
  expect((await by.start(upload.uuid)).json.errors).toEqual([
    "Records of this file are already imported; resume the upload instead",
  ]);

  await configure(gatehouse, by, { quotas: { records: 700 } });
  expect((await by.act(upload.uuid, "resume")).status).toBe(200);
  await gatehouse.app.uploads.runUntilIdle();
  expect(await by.show(upload.uuid)).toMatchObject({ state: "finished", rows: 700, created: 700 });
  expect(await stored(by.organizationId)).toHaveLength(700);
});

test.each([
  ["gzip", (text: string) => gzipSync(text), /compressed with gzip/],
  ["UTF-16", (text: string) => Buffer.from(`\ufeff${text}`, "utf16le"), /UTF-16/],
  ["semicolons", (text: string) => Buffer.from(text.replaceAll(",", ";")), /semicolons/],
])("a file is recognized as gatehouse-push would recognize it: %s", async (_how, encode, says) => {
  const by = await uploader(gatehouse);
  const upload = await by.run(encode(transactionFile(by, 20)));
  expect(upload).toMatchObject({ state: "finished", created: 20 });
  expect(upload.reading).toMatch(says);
});

test("lines that are not records are set aside and shown with the upload, and a short row fails alone", async () => {
  const by = await uploader(gatehouse);
  const [header = "", ...records] = transactionFile(by, 5).split("\n");
  const file = [header, records[0], "T-1,x", ...records.slice(1, 5), "Total,5", "Generated by Reports"].join(
    "\n",
  );
  const upload = await by.run(file);
  expect(upload).toMatchObject({ state: "finished", rows: 6, created: 5, failed: 1 });
  expect(upload.reading).toBe(
    'CSV, with 2 lines set aside as not a record: line 8 "Total | 5", line 9 "Generated by Reports"',
  );
});

test("errors of a file or its mapping are reported, and the file is kept for another attempt", async () => {
  const by = await uploader(gatehouse);
  const ragged = await by.run(`${transactionFile(by, 700)}T-1,"x\n`);
  // Nothing is imported from a file that cannot be read to its end.
  expect(ragged).toMatchObject({ state: "stopped", created: 0, rows: 0 });
  expect(ragged.problem).toMatch(/^line 702: a quoted cell starts in this row and is not closed/);
  const unknown = await by.run(transactionFile(by, 1), { mapping: { columns: { Ticket: "transactionId" } } });
  expect(unknown.problem).toMatch(/the mapping uses the column "Ticket", which is not in the header/);
  expect((await by.start(unknown.uuid)).status).toBe(200);
  const bad = await by.start(unknown.uuid, { mapping: { columns: 7 } });
  expect(bad.json).toMatchObject({ code: "invalid" });
});

test("a value that is nested thousands of levels deep fails its row", async () => {
  const by = await uploader(gatehouse);
  const record = { locationUuid: by.locationUuid, type: 1 };
  const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
  const lines = [
    { ...record, transactionId: "T-1", transactionDate: "2026-04-01T14:30:00Z" },
    { ...record, transactionId: "T-2", transactionDate: 7, metadata: "deep" },
    { ...record, transactionId: "T-3", transactionDate: "deep" },
  ].map((line) => JSON.stringify(line).replace('"deep"', deep));
  const upload = await by.run(lines.join("\n"));
  expect(upload).toMatchObject({ state: "finished", created: 1, failed: 2 });
  const examples = upload.problems.map(({ field, example }) => [field, example]);
  expect(examples).toEqual(
    expect.arrayContaining([
      ["transactionDate", "7"],
      ["metadata", "(a list)"],
    ]),
  );
});

test("a mapping of many kilobytes is used as it was sent", async () => {
  const by = await uploader(gatehouse);
  const values = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`Kind ${index}`, 1]));
  const columns = { Ticket: "transactionId", Kind: { to: "type", values } };
  const file = `Ticket,locationUuid,Kind,transactionDate\n${by.line("T-1", "Kind 499")}`;
  expect(await by.run(file, { mapping: { columns } })).toMatchObject({
    created: 1,
    mapping: { columns },
  });
});

test("rows that the mapping leaves out are counted, listed with the reason and not stored", async () => {
  const by = await uploader(gatehouse);
  const mapping = { leaveOut: [{ column: "State", values: ["void"] }] };
  const lines = [by.line("T-1"), by.line("T-2"), by.line("T-3", "x")].map((line, index) =>
    line.replace("\n", `,${index === 1 ? "VOID" : "paid"}\n`),
  );
  const upload = await by.run(transactionHeader.replace("\n", ",State\n") + lines.join(""), { mapping });
  expect(upload).toMatchObject({ state: "finished", rows: 3, created: 1, skipped: 0, failed: 1, leftOut: 1 });
  expect(await stored(by.organizationId)).toEqual(["T-1"]);
  const outcomes = (await by.person.get(`${by.uploads}/${upload.uuid}/outcomes.csv`)).text;
  expect(parse(outcomes, { bom: true, columns: true })).toMatchObject([
    { outcome: "Created" },
    { outcome: "LeftOut", uuid: "", message: '"State" is "VOID"' },
    { outcome: "Failed" },
  ]);
});

test("a file is checked but not imported while its mapping has an open question", async () => {
  const by = await uploader(gatehouse);
  const question = {
    ...{
      id: "zone",
      kind: "question",
      code: "zoneAsked",
      data: {},
      text: "Which zone?",
      rows: 1,
      samples: [],
    },
    choices: [{ id: "utc", patch: { timeZone: "UTC" }, gives: [] }],
  };
  const content = transactionHeader + by.line("T-1");
  const refused = await by.start(await by.receive(content), { mapping: { questions: [question] } });
  expect([refused.status, refused.json]).toMatchObject([
    400,
    { code: "openQuestions", errors: ["zone: Which zone?"] },
  ]);
  const mapping = { questions: [question], answers: { zone: "utc" } };
  expect(await by.run(content, { mapping })).toMatchObject({ state: "finished", created: 1 });
  const check = { mapping: { questions: [question] }, validateOnly: true };
  expect(await by.run(content, check)).toMatchObject({ state: "finished", pass: "check" });
});
