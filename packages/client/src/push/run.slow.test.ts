import { mkdir, readFile, readdir, rename, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { workbookOf } from "../../../record-files/testing/workbook.js";
import { createPushTenant } from "../../testing/push-tenant.js";
import { useLiveService } from "../../testing/live-service.js";
import { readResults, runPush } from "../../testing/run-push.js";

const live = useLiveService();

const newTenant = (options?: Parameters<typeof createPushTenant>[1]) => createPushTenant(live, options);

const header = "transactionId,locationUuid,type,transactionDate,amountTotal,vehicle.licensePlate";
const row = (id: string, location: string, amount = "12.50") =>
  `${id},${location},Transient,2026-04-01T14:30:00Z,${amount},ABC ${id}`;
const rows = (count: number, location: string, first = 0) =>
  Array.from({ length: count }, (_, index) => row(`T-${first + index}`, location)).join("\n");

test("a CSV file is imported; failed rows can be corrected and pushed again", async () => {
  const { file, push, folder, locationUuid } = await newTenant();
  const wrong = "00000000-0000-4000-8000-000000000000";
  const csv = await file(
    "sessions.csv",
    `${header}\n${row("T-1", locationUuid)}\n${row("T-2", wrong)}\n${row("T-3", locationUuid, '"12,50"')}\n${row("T-1", locationUuid)}\n`,
  );
  const first = await push(["transactions", csv]);
  expect(first).toMatchObject({ code: 2, error: "" });
  expect(first.out).toMatch(/sessions\.csv: 4 transactions in 1 request/);
  expect(first.out).toMatch(/created +1\n +skipped +1 +already stored\n +failed +2\n/);
  expect(first.out).toMatch(/2 LocationNotFound +1 +Take the uuid from GET/);

  const output = join(folder, "sessions.push");
  expect(await readResults(output)).toMatchObject([
    { line: 2, outcome: "Created", reference: "T-1", uuid: expect.any(String), run: expect.any(String) },
    { line: 3, outcome: "Failed", reference: "T-2", reasonCode: 2, reason: "LocationNotFound" },
    {
      line: 4,
      outcome: "Failed",
      reference: "T-3",
      reasonCode: 5,
      errorDetail: "amountTotal must be a number",
    },
    { line: 5, outcome: "Skipped", reference: "T-1", reasonCode: 1 },
  ]);
  const failed = await readFile(join(output, "failed.csv"), "utf8");
  const [failedHeader, ...failures] = failed.trimEnd().split("\n");
  expect(failedHeader).toBe(`${header},failure.line,failure.code,failure.name,failure.detail`);
  expect(failures[0]).toMatch(/^T-2,0{8}.*,ABC T-2,3,2,LocationNotFound,/);
  expect(failures[1]).toMatch(/,"12,50",ABC T-3,4,5,ValidationFailed,amountTotal must be a number$/);

  await writeFile(
    join(output, "failed.csv"),
    failed.replace(wrong, locationUuid).replace('"12,50"', "12.50"),
  );
  const second = await push(["transactions", join(output, "failed.csv")]);
  expect(second).toMatchObject({ code: 0 });
  expect(second.out).toMatch(/created +2\n/);
  const again = await readFile(join(output, "failed.push", "failed.csv"), "utf8");
  expect(again).toBe(`${failedHeader}\n`);
});

test("the same command again sends nothing; a file with appended rows is continued", async () => {
  const { file, push, requests, folder, locationUuid } = await newTenant();
  const csv = await file("sessions.csv", `${header}\n${rows(700, locationUuid)}\n`);
  expect(await push(["transactions", csv])).toMatchObject({ code: 0 });
  expect(requests()).toBe(2);
  const repeated = await push(["transactions", csv]);
  expect(repeated.code).toBe(0);
  expect(repeated.out).toMatch(/created +700\n/);
  expect(requests()).toBe(2);

  await writeFile(csv, `${header}\n${rows(900, locationUuid)}\n`);
  expect((await push(["transactions", csv])).out).toMatch(/created +900\n/);
  expect(requests()).toBe(3);
  expect((await readResults(join(folder, "sessions.push"))).map((result) => result.reference)).toEqual(
    Array.from({ length: 900 }, (_, index) => `T-${index}`),
  );
});

test("the same command does not change failed rows that were corrected in place", async () => {
  const { file, push, requests, folder, locationUuid } = await newTenant();
  const content = `${header}\n${row("T-1", locationUuid)}\n${row("T-2", locationUuid, "x")}\n`;
  const csv = await file("sessions.csv", content);
  expect(await push(["transactions", csv])).toMatchObject({ code: 2 });
  const failed = join(folder, "sessions.push", "failed.csv");
  const corrected = (await readFile(failed, "utf8")).replace(",x,", ",3.00,");
  await writeFile(failed, corrected);

  expect(await push(["transactions", csv])).toMatchObject({
    code: 2,
    error: expect.not.stringContaining("changed"),
  });
  await file("sessions.csv", `${content}${row("T-3", locationUuid, "y")}\n`);
  for (const restart of [[], ["--restart"]]) {
    const refused = await push(["transactions", csv, ...restart]);
    expect(refused).toMatchObject({ code: 1, error: expect.stringContaining("failed.csv was changed") });
  }
  expect(requests()).toBe(1);
  expect(await readFile(failed, "utf8")).toBe(corrected);

  await rename(failed, join(folder, "corrected.csv"));
  expect((await push(["transactions", join(folder, "corrected.csv")])).out).toMatch(/created +1\n/);
  expect((await push(["transactions", csv])).out).toMatch(/created +1\n.*\n +failed +2\n/);
  expect(await readFile(failed, "utf8")).toMatch(/^transactionId,.*\nT-3,.*\n$/);
});

test("outcomes that could not be written are not counted", async () => {
  const { file, push, requests, folder, locationUuid } = await newTenant();
  const csv = await file("sessions.csv", `${header}\n${row("T-1", locationUuid)}\n`);
  // The new journal cannot be written where a folder exists.
  await mkdir(join(folder, "sessions.push", "journal.json.new"), { recursive: true });
  const unwritten = await push(["transactions", csv]);
  expect(unwritten).toMatchObject({ code: 1, out: "", error: expect.stringContaining("journal.json.new") });
  expect(requests()).toBe(1);
  await rmdir(join(folder, "sessions.push", "journal.json.new"));
  expect((await push(["transactions", csv])).out).toMatch(/created +0\n +skipped +1 /);
});

test("a journal of another file, key or mapping is rejected; --restart starts over", async () => {
  const { file, push, requests, locationUuid, folder } = await newTenant();
  const other = await newTenant();
  const csv = await file("sessions.csv", `${header}\n${row("T-1", locationUuid)}\n`);
  await push(["transactions", csv]);
  const before = requests();

  expect(await other.push(["transactions", csv])).toMatchObject({
    code: 1,
    error: expect.stringContaining("contains a push with a different API key"),
  });
  await file("map.json", JSON.stringify({ constants: { cardType: "VISA" } }));
  const mapped = await push(["transactions", csv, "--mapping", join(folder, "map.json")]);
  expect(mapped).toMatchObject({ code: 1, error: expect.stringContaining("Start over with --restart") });
  await writeFile(csv, `${header}\n${row("T-2", locationUuid)}\n${row("T-1", locationUuid)}\n`);
  expect(await push(["transactions", csv])).toMatchObject({
    code: 1,
    error: expect.stringContaining("The first 1 records differ from those of the earlier push"),
  });
  await writeFile(csv, `${header}\n`);
  expect(await push(["transactions", csv])).toMatchObject({ code: 1 });
  expect(requests()).toBe(before);

  await writeFile(csv, `${header}\n${row("T-2", locationUuid)}\n${row("T-1", locationUuid)}\n`);
  const restarted = await push(["transactions", csv, "--restart"]);
  expect(restarted.out).toMatch(/created +1\n +skipped +1/);
});

test("after a stop the current request is recorded, and the same command continues", async () => {
  const { file, push, requests, locationUuid, folder } = await newTenant();
  const csv = await file("sessions.csv", `${header}\n${rows(1_600, locationUuid)}\n`);
  const stop = new AbortController();
  live.onAnswer = () => stop.abort(new Error("stopped"));
  const { code, out } = await push(["transactions", csv], { stop: stop.signal });
  live.onAnswer = undefined;
  expect(code).toBe(1);
  expect(out).toContain("not finished: stopped");
  const sent = requests();
  expect(sent).toBeLessThan(4);
  expect(await readResults(join(folder, "sessions.push"))).toHaveLength(sent * 500);

  const resumed = await push(["transactions", csv]);
  expect(resumed).toMatchObject({
    code: 0,
    error: expect.stringContaining(`continuing after record ${sent * 500}`),
  });
  expect(resumed.out).toMatch(/1,600 transactions in 4 requests/);
  expect(requests()).toBe(4);
});

test("failed rows keep the separator of the file, and the advice for pushing them works", async () => {
  const { file, push, folder, locationUuid } = await newTenant();
  const content = `${header}\n${row("T-1", locationUuid)}\n${row("T-2", locationUuid, "x")}\n`;
  const tabs = await push(["transactions", await file("tabs.tsv", content.replaceAll(",", "\t"))]);
  const failedTabs = join(folder, "tabs.push", "failed.tsv");
  expect(tabs.out).toContain(`push them:\n  gatehouse-push transactions ${failedTabs} --url`);
  await file("corrected.tsv", (await readFile(failedTabs, "utf8")).replace("\tx\t", "\t3.00\t"));
  expect(await push(["transactions", join(folder, "corrected.tsv")])).toMatchObject({ code: 0 });

  const marks = await file("marks.csv", content.replaceAll(",", ";").replaceAll("T-", "M-"));
  const { out } = await push(["transactions", marks, "--delimiter", ";"]);
  const failedMarks = join(folder, "marks.push", "failed.csv");
  expect(out).toContain(`gatehouse-push transactions ${failedMarks} --delimiter ";" `);
  expect((await readFile(failedMarks, "utf8")).split("\n")[1]).toMatch(/^M-2;/);
});

test("a second stream in the same folder is rejected with advice, and nothing is sent", async () => {
  const { push, requests, folder, locationUuid } = await newTenant();
  const args = ["transactions", "-", "--format", "csv", "--output"];
  const stream = (id: string) => ({ input: `${header}\n${row(id, locationUuid)}\n` });
  expect(await push([...args, join(folder, "one")], stream("T-1"))).toMatchObject({ code: 0 });
  expect(await push([...args, join(folder, "one")], stream("T-2"))).toMatchObject({
    code: 1,
    error: expect.stringContaining("Use a separate folder for each stream with --output"),
  });
  expect(requests()).toBe(1);
  expect(await push([...args, join(folder, "two")], stream("T-2"))).toMatchObject({ code: 0 });
});

test("NDJSON and JSON are read from files and standard input; failures keep the whole record", async () => {
  const { file, push, folder, locationUuid } = await newTenant();
  const record = (id: string, extra = "") =>
    `{"transactionId":"${id}","locationUuid":"${locationUuid}","type":"Flex","transactionDate":"2026-04-01T14:30:00Z"${extra}}`;
  const ndjson = `${record("N-1")}\n${record("N-2", ',"metadata":{"n":1.50},"amountTotal":"x"')}\n`;
  expect(await push(["transactions", await file("sessions.ndjson", ndjson)])).toMatchObject({ code: 2 });
  const failed = await readFile(join(folder, "sessions.push", "failed.csv"), "utf8");
  expect(failed.split("\n")[0]).toBe("record,failure.line,failure.code,failure.name,failure.detail");
  expect(failed).toContain('""metadata"":{""n"":1.50}');
  const corrected = await file("corrected.csv", failed.replace('""x""', "3.00"));
  expect(await push(["transactions", corrected])).toMatchObject({ code: 0 });

  const json = await file("more.json", `{"transactions":[${record("J-1")},\n${record("J-2")}]}`);
  expect((await push(["transactions", json])).out).toMatch(/created +2\n/);
  const piped = await push(["transactions", "-", "--format", "ndjson", "--output", join(folder, "piped")], {
    input: `${record("P-1")}\n`,
  });
  expect(piped).toMatchObject({ code: 0, out: expect.stringMatching(/standard input: 1 transaction in/) });
  expect(await readResults(join(folder, "piped"))).toMatchObject([{ outcome: "Created", reference: "P-1" }]);
});

test("--dry-run checks offline with no service and no key; --validate-only asks the service and stores nothing", async () => {
  const { file, push, requests, folder, locationUuid } = await newTenant();
  const csv = await file(
    "sessions.csv",
    `${header}\n${row("T-1", locationUuid)}\n${row("T-2", locationUuid, "x")}\n${row("T-3", "unknown")}\n`,
  );
  const dry = await runPush(["transactions", csv, "--dry-run"]);
  expect(dry).toMatchObject({ code: 2, out: expect.stringMatching(/valid +2\n +failed +1\n/) });
  expect(await readdir(join(folder, "sessions.dry-run"))).toEqual(["failed.csv", "results.ndjson"]);

  const validated = await push(["transactions", csv, "--validate-only"]);
  expect(validated).toMatchObject({ code: 2, out: expect.stringContaining("nothing was stored") });
  expect(await readResults(join(folder, "sessions.validate-only"))).toMatchObject([
    { outcome: "Created" },
    { outcome: "Failed", reasonCode: 5 },
    { outcome: "Failed", reasonCode: 2 },
  ]);
  expect(requests()).toBe(0);
  expect((await push(["transactions", csv])).out).toMatch(/created +1\n/);
});

test("a folder is pushed in the order accounts, subscriptions, transactions", async () => {
  const { file, push, folder, locationUuid } = await newTenant();
  await file("accounts.csv", "tpReferenceId,name\nA-1,Acme\n");
  await file("subscriptions.jsonl", '{"tpReferenceId":"S-1","accountTPReferenceId":"A-1"}\n');
  await file(
    "transactions.csv",
    `${header},accountTPReferenceId,subscriptionTPReferenceId\n${row("T-1", locationUuid)},A-1,S-1\n`,
  );
  await file("notes.csv", "anything\n");
  const { code, out } = await push([folder, "--json"]);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject([
    { resource: "accounts", tally: { created: 1 } },
    { resource: "subscriptions", tally: { created: 1 } },
    { resource: "transactions", tally: { created: 1 } },
  ]);
  await file("accounts.json", "[]");
  expect((await push([folder])).error).toContain("several files of accounts");
  expect((await push([join(folder, "notes.csv")])).error).toContain("is not a folder");
  await mkdir(join(folder, "empty"));
  expect((await push([join(folder, "empty")])).error).toContain("contains no file named accounts");
});

test("--json reports every file of a folder, even a broken one", async () => {
  const { file, push, folder } = await newTenant();
  await file("accounts.csv", "tpReferenceId,name\nA-1,Acme\n");
  await file("subscriptions.csv", "tpReferenceId,colour\nS-1,red\n");
  await file("transactions.csv", `${header}\n`);
  const { code, out, error } = await push([folder, "--json"]);
  expect(code).toBe(1);
  const message = 'subscriptions.csv, line 1: unknown field: "colour"';
  expect(error).toContain(message);
  expect(JSON.parse(out)).toEqual([
    expect.objectContaining({ file: "accounts.csv", resource: "accounts", tally: expect.anything() }),
    { file: "subscriptions.csv", resource: "subscriptions", error: expect.stringContaining(message) },
  ]);
});

test.each(["", '"', "\n"])("an invalid separator is rejected: %j", async (delimiter) => {
  const { error, code } = await runPush(["transactions", "x.csv", "--dry-run", "--delimiter", delimiter]);
  expect(code).toBe(1);
  expect(error).toContain("a separator such as ; or |, or tab for a tab");
});

test("--time-zone location converts with the zone of each record's location", async () => {
  const { file, push, locationUuid, organizationId } = await newTenant({
    location: { timeZone: "America/Denver" },
  });
  const csv = await file(
    "sessions.csv",
    `transactionId,locationUuid,type,transactionDate\nT-1,${locationUuid},1,2026-07-01 12:00:00\nT-2,${locationUuid},1,2026-03-08 02:30\n`,
  );
  const { code, out } = await push(["transactions", csv, "--time-zone", "location"]);
  expect(code).toBe(2);
  expect(out).toMatch(/5 ValidationFailed +1/);
  const { rows: stored } = await live.gatehouse.database.work.query(
    "select transaction_date from transactions where organization_id = $1",
    [organizationId],
  );
  expect(stored).toEqual([{ transaction_date: new Date("2026-07-01T18:00:00Z") }]);
});

test.each([
  ["wrong delimiter", "transactionId:type\nT-1:1\n", 'bad.csv, line 1: unknown field: "transactionId:type"'],
  ["ragged row", `${header}\nT-1,x\n`, "bad.csv, line 2: 2 cells, but the header has 6 columns"],
  [
    "huge field",
    `${header}\n${"x".repeat(6_000_000)}`,
    "bad.csv, line 2: the row that starts here is larger than 5 MB",
  ],
  ["two encodings", Buffer.from(`${header}\n\xff\xc3\xa9`, "latin1"), "bad.csv, line 2: not valid UTF-8"],
  ["second byte order mark", `\ufeff${header}\n\ufeff${header}\n`, "bad.csv, line 2: a byte order mark"],
  ["unknown column", `${header},colour\n`, 'bad.csv, line 1: unknown field: "colour"'],
])("a bad file is refused with its line, and nothing of it is sent: %s", async (_name, content, message) => {
  const { file, push, requests, folder } = await newTenant();
  const { code, error } = await push(["transactions", await file("bad.csv", content)]);
  expect(code).toBe(1);
  expect(error).toContain(message);
  expect(requests()).toBe(0);
  expect(await readdir(folder)).not.toContain("bad.push");
});

test("the export of another system is imported by options or a mapping, and the detected format is printed", async () => {
  const { file, push, organizationId } = await newTenant();
  const export16 = [
    "Daily sessions report",
    "",
    "Ticket;Garage;Kind;Paid at;Total;Net;Plate;",
    "1001;main garage;VALET;13.04.2026 23:30;1.234,50 \u20ac;n/a;M\u00dc 12;",
    "1002;main garage;TRANSIENT;14.04.2026 08:10;(7,50 \u20ac);-;XYZ 77;",
    "1003;north;VALET;14.04.2026 08:10;7,5;-;XYZ 78;",
  ].join("\r\n");
  const csv = await file("export.txt", Buffer.from(`\ufeff${export16}`, "utf16le"));
  const mapping = await file(
    "mapping.json",
    JSON.stringify({
      columns: {
        ...{ Ticket: "transactionId", Garage: { to: "locationUuid", location: "name" } },
        ...{ Kind: { to: "type", values: { VALET: 2 } }, "Paid at": "transactionDate" },
        ...{ Total: "amountTotal", Net: "netAmount", Plate: "vehicle.licensePlate" },
      },
      ...{ timeZone: "location", number: "1.234,50 \u20ac", empty: ["n/a"] },
    }),
  );
  const args = [
    "transactions",
    csv,
    "--mapping",
    mapping,
    "--time-format",
    "dd.MM.yyyy HH:mm",
    "--empty",
    "-",
  ];
  // The command line overrides the mapping.
  expect((await push([...args, "--dry-run"])).out).toMatch(/valid +1\n +failed +2\n/);
  const { code, out, error } = await push([...args, "--empty", "n/a", "--json"]);
  expect(error).toContain(
    "export.txt: read as CSV, in UTF-16 (little endian), separated by semicolons, with the header in line 3\n",
  );
  expect(code).toBe(2);
  expect(JSON.parse(out)).toMatchObject([{ tally: { created: 2, failed: 1 } }]);
  const { rows: stored } = await live.gatehouse.database.work.query(
    "select transaction_id, transaction_date, amount_total, net_amount from transactions where organization_id = $1 order by 1",
    [organizationId],
  );
  expect(stored).toMatchObject([
    { transaction_id: "1001", amount_total: "1234.5", net_amount: null },
    { transaction_id: "1002", amount_total: "-7.5", net_amount: null },
  ]);
});

test("compressed files are pushed directly, and text that turns out not to be UTF-8 is read again", async () => {
  const { file, push, folder, locationUuid } = await newTenant();
  const content = `${header}\n${row("T-1", locationUuid)}\n`;
  const packed = await push(["transactions", await file("sessions.csv.gz", gzipSync(content))]);
  expect(packed).toMatchObject({ code: 0, error: "sessions.csv.gz: read as compressed with gzip\n" });
  const late = Buffer.from(
    `${header}\n${rows(900, locationUuid)}\nM\u00fcller,${locationUuid},1,2026-04-01T14:30:00Z,1,A 1\n`,
    "latin1",
  );
  const guessed = await push([
    "transactions",
    await file("late.csv", late),
    "--output",
    join(folder, "late"),
  ]);
  expect(guessed).toMatchObject({
    code: 0,
    error: expect.stringContaining("late.csv: read as in Windows-1252"),
  });
  expect((await readResults(join(folder, "late"))).at(-1)).toMatchObject({ reference: "M\u00fcller" });
});

test("the key comes from a file or the environment and is never sent over plain HTTP", async () => {
  const { file, apiKey, locationUuid, folder } = await newTenant();
  const csv = await file("sessions.csv", `${header}\n${row("T-1", locationUuid)}\n`);
  const args = ["transactions", csv, "--ca", live.caFile];
  const environment = { GATEHOUSE_API_KEY: apiKey, GATEHOUSE_URL: live.url };
  expect(await runPush(args, { environment })).toMatchObject({ code: 0 });
  expect(await readFile(join(folder, "sessions.push", "journal.json"), "utf8")).not.toContain(apiKey);
  const messageFor = async (context: NodeJS.ProcessEnv, more: string[] = []) =>
    (await runPush([...args, ...more], { environment: context })).error;
  expect(await messageFor({})).toContain("add --url https://..., or set GATEHOUSE_URL");
  expect(await messageFor({ GATEHOUSE_URL: live.url })).toContain("No API key");
  expect(await messageFor({ ...environment, GATEHOUSE_URL: "http://gatehouse.example.com" })).toContain(
    "--url must be an https:// address",
  );
  expect(await messageFor(environment, ["--key", apiKey])).toContain("unknown option '--key'");
  expect(await messageFor(environment, ["--restart", "--key-file", await file("empty.txt", "\n")])).toContain(
    "is empty",
  );
  const untrusted = await runPush(["transactions", csv, "--restart"], { environment });
  expect(untrusted).toMatchObject({
    code: 1,
    error: expect.stringContaining("add --ca FILE"),
  });
});

test("a terminal gets a bar with rate, outcomes and remaining time; other outputs get plain lines", async () => {
  const { file, push, locationUuid } = await newTenant();
  const csv = await file("sessions.csv", `${header}\n${rows(1_000, locationUuid)}\n`);
  const bar = await push(["transactions", csv], { isTerminal: true });
  expect(bar.error).toMatch(/sessions\.csv .*% of 1,000/);
  expect(bar.error).toMatch(/500 created, [\d,]+\/s, \d+ s left/);
  const lines = await push(["transactions", csv, "--restart"]);
  expect(lines.error).toBe("");
  expect(lines.out).toMatch(/skipped +1,000/);
});

test("a spreadsheet is pushed from a file and from standard input", async () => {
  const { file, push, folder, locationUuid } = await newTenant();
  const cells = (values: string[]) =>
    `<row>${values.map((value) => `<c t="inlineStr"><is><t>${value}</t></is></c>`).join("")}</row>`;
  const sheet = (id: string) =>
    workbookOf([
      {
        name: "April",
        rows: cells(header.split(",")) + cells(row(id, locationUuid).split(",")) + cells(["T-9"]),
      },
    ]);
  const pushed = await push(["transactions", await file("sessions.xlsx", sheet("T-1"))]);
  expect(pushed).toMatchObject({ code: 2, error: 'sessions.xlsx: read as the sheet "April"\n' });
  expect(pushed.out).toMatch(/created +1\n.*\n +failed +1\n/);
  expect(await readFile(join(folder, "sessions.push", "failed.csv"), "utf8")).toMatch(
    /\nT-9,,,,,,3,4,MissingRequiredField,/,
  );
  const piped = await push(["transactions", "-", "--output", join(folder, "piped")], { input: sheet("T-2") });
  expect(piped.out).toMatch(/created +1\n/);
});

test("a mapping is suggested from the file, and the file is imported with it", async () => {
  const { file, push, folder, locationUuid } = await newTenant();
  const content = [
    "Ticket No;Garage;Customer Type;Paid at;Total",
    `A-1;Main garage;Kurzparker;13.04.2026 23:30;1.234,50`,
    `A-2;${locationUuid};Dauerparker;14.04.2026 08:10;7,50`,
  ].join("\n");
  const csv = await file("export.csv", content);
  const mapping = join(folder, "mapping.json");
  const suggested = await push(["transactions", csv, "--suggest-mapping", mapping]);
  expect(suggested).toMatchObject({ code: 2, error: "" });
  expect(suggested.out).toContain('  Paid at -> {"to":"transactionDate","time":["d.M.yyyy H:mm"]}\n');
  expect(suggested.out).toContain(
    '      "column:Customer Type": "type"\n        "Kurzparker" -> type: 1\n        "Dauerparker" -> type: 2\n',
  );
  expect(suggested.out).toContain("test it:\n  gatehouse-push ");
  expect(suggested.out).toContain(` --mapping ${mapping} --dry-run\n`);
  expect(await push(["transactions", csv, "--mapping", mapping])).toMatchObject({
    code: 1,
    error: expect.stringContaining("column:Customer Type"),
  });

  const decided = { "column:Customer Type": "type", "required:type": "Transient" };
  const answers = ["--answers", await file("answers.json", JSON.stringify(decided)), "--confirm-assumptions"];
  const again = await push(["transactions", csv, "--suggest-mapping", mapping, ...answers]);
  expect(again).toMatchObject({ code: 1, error: expect.stringContaining("already exists") });
  const answered = `${mapping}.2`;
  const second = await push(["transactions", csv, "--suggest-mapping", answered, ...answers, "--json"]);
  expect(second.code).toBe(0);
  expect(JSON.parse(second.out)).toMatchObject({
    ...{ mappingFile: answered, openQuestions: [] },
    columns: { "Customer Type": expect.anything() },
  });
  expect((await push(["transactions", csv, "--mapping", answered])).out).toMatch(/created +2\n/);
  expect((await push([folder, "--suggest-mapping", mapping])).error).toContain(
    "--suggest-mapping works only for single files",
  );
});

test("an ambiguous date is reported, and read as the option says", async () => {
  const { file, locationUuid, folder } = await newTenant();
  const csv = await file(
    "sessions.csv",
    `${header}\n${row("T-1", locationUuid).replace("2026-04-01T14:30:00Z", "03/04/2026 10:00")}\n`,
  );
  const asked = await runPush(["transactions", csv, "--dry-run"]);
  expect(asked.code).toBe(2);
  expect(asked.out).toContain(
    'transactionDate can be read as M/d/yyyy H:mm and as d/M/yyyy H:mm; if the first is correct, add --time-format "M/d/yyyy H:mm", or set "time" in the mapping file: 1 record, "03/04/2026 10:00" in line 2',
  );
  const told = ["--time-format", "d/M/yyyy H:mm", "--time-zone", "UTC", "--output", join(folder, "told")];
  expect(await runPush(["transactions", csv, "--dry-run", ...told])).toMatchObject({ code: 0 });
});
