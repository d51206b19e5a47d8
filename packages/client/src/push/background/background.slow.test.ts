import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { createPushTenant } from "../../../testing/push-tenant.js";
import { useLiveService } from "../../../testing/live-service.js";
import { readResults } from "../../../testing/run-push.js";

const live = useLiveService();
beforeAll(() => live.gatehouse.app.startFeatures());

const header = "Ticket,Garage,Kind,At\n";
const mapping = {
  columns: { Ticket: "transactionId", Garage: "locationUuid", Kind: "type", At: "transactionDate" },
};

async function newPartner() {
  const tenant = await createPushTenant(live);
  const line = (id: string, kind = "1") => `${id},${tenant.locationUuid},${kind},2026-04-01T14:30:00Z\n`;
  const options = ["--background", "--mapping", await tenant.file("mapping.json", JSON.stringify(mapping))];
  const uploads = async () =>
    (await live.gatehouse.send({ url: "/integrations/uploads", key: tenant.apiKey })).json.data;
  return {
    ...tenant,
    line,
    uploads,
    ordinaryPush: tenant.push,
    push: (args: string[], context?: object) => tenant.push([...args, ...options], context),
  };
}

test("the service imports the file, and the command reports like an ordinary push", async () => {
  const { file, line, push, folder, uploads } = await newPartner();
  const csv = await file("sessions.csv", header + line("T-1") + line("T-2", "9") + line("T-1"));
  const checked = await push(["transactions", csv, "--validate-only"]);
  expect(checked).toMatchObject({ code: 2 });
  expect(checked.out).toContain("validated by the service; nothing was stored");
  const pushed = await push(["transactions", csv]);
  expect(pushed).toMatchObject({ code: 2 });
  expect(pushed.out).toMatch(/^sessions\.csv: 3 transactions in 1 request/);
  expect(pushed.out).toMatch(
    /created +1\n +skipped +1 +already stored\n +(?:conflicts +0.*\n +)?failed +1\n/,
  );
  expect(pushed.out).toContain("5 ValidationFailed");
  expect(pushed.out).toContain('"9" in line 3');
  expect(await readResults(join(folder, "sessions.background"))).toMatchObject([
    { line: 2, outcome: "Created", reference: "T-1" },
    { line: 3, outcome: "Failed", reference: "T-2", reasonCode: 5 },
    { line: 4, outcome: "Skipped", reference: "T-1" },
  ]);
  const failed = await readFile(join(folder, "sessions.background", "failed.csv"), "utf8");
  expect(failed).toContain("Ticket,Garage,Kind,At,failure.line");
  // The check and the import are passes of one upload.
  expect(await uploads()).toHaveLength(1);

  const again = await push(["transactions", csv]);
  expect(again).toMatchObject({ code: 2, error: expect.stringContaining("imported by an earlier command") });
  const restarted = await push(["transactions", csv, "--restart", "--json"]);
  expect(JSON.parse(restarted.out)).toMatchObject([{ tally: { created: 0, skipped: 2, failed: 1 } }]);
});

test("findings, conflicts and their file are those of an ordinary push", async () => {
  const { file, ordinaryPush, folder, locationUuid } = await newPartner();
  const push: typeof ordinaryPush = (args) => ordinaryPush([...args, "--background"]);
  const columns = "Ticket,Garage,Kind,At,From,To,State,Paid\n";
  const row = (id: string, { hours = ["10", "11"], state = "OK", paid = "5" } = {}) => {
    const [from, to] = hours.map((hour) => `2026-04-01T${hour}:30:00Z`);
    return `${id},${locationUuid},1,2026-04-01T14:30:00Z,${from},${to},${state},${paid}\n`;
  };
  const fields = { From: "sessionStart", To: "sessionEnd", State: null, Paid: "amountTotal" };
  const unusual = {
    columns: { ...mapping.columns, ...fields },
    leaveOut: [{ column: "State", values: ["VOID"] }],
  };
  const mapped = ["--mapping", await file("unusual.json", JSON.stringify(unusual))];
  const first = await file("first.csv", columns + row("T-1"));
  expect((await ordinaryPush(["transactions", first, ...mapped])).code).toBe(0);
  const rows = [
    row("T-1", { paid: "9" }),
    row("T-2", { hours: ["11", "10"] }),
    row("T-3"),
    row("T-3", { paid: "7" }),
    row("T-4", { state: "VOID" }),
  ];
  const csv = await file("sessions.csv", `${columns}${rows.join("")}Total,,,,,,,26\n`);
  const command = ["transactions", csv, ...mapped];
  const checkedBy = async (run: typeof push) => {
    const { code, out } = await run([...command, "--validate-only", "--json"]);
    const [{ tally, findings, setAside, referenceColumn }] = JSON.parse(out);
    return { code, tally: { ...tally, requests: 1 }, findings, setAside, referenceColumn };
  };
  const checked = await checkedBy(push);
  expect(checked).toEqual(await checkedBy(ordinaryPush));
  expect(checked).toMatchObject({
    ...{ code: 3, setAside: 1, referenceColumn: "Ticket" },
    tally: { created: 2, skipped: 0, conflicts: 2, leftOut: 1 },
    findings: expect.arrayContaining([expect.objectContaining({ code: "exitBeforeEntry", rows: 1 })]),
  });

  const { code, out } = await push(command);
  expect(code).toBe(3);
  expect(out).toMatch(/conflicts +2 +the same ID with other values\n/);
  expect(out).toMatch(/left out +1 .*\n +set aside +1 /);
  expect(out).toContain("1 row with a sessionEnd before the sessionStart: ");
  expect(out).toContain('read as CSV, with 1 line set aside as not a record: line 7 "Total | 26"');
  const conflicts = join(folder, "sessions.background", "conflicts.csv");
  expect(out).toContain(`  conflicts    ${conflicts}\n`);
  expect((await readFile(conflicts, "utf8")).split("\n").map((line) => line.trim())).toEqual([
    expect.stringMatching(/^.?Ticket,Garage,.*,failure.line,failure.code,failure.name,failure.detail$/),
    expect.stringMatching(/^T-1,.*,9,2,1,DuplicateTransactionId,.*other values: amountTotal/),
    expect.stringMatching(/^T-3,.*,7,5,1,DuplicateTransactionId,.*other values: amountTotal/),
    "",
  ]);
});

test("an interrupted command is continued by the same command, without sending again what arrived", async () => {
  const { file, line, push, uploads } = await newPartner();
  const rows = Array.from({ length: 90_000 }, (_, index) => line(`T-${index}`)).join("");
  const csv = await file("large.csv", header + rows);
  const stop = new AbortController();
  live.onAnswer = (path) => {
    if (path.includes("/pieces")) stop.abort(new Error("stopped"));
  };
  const stopped = await push(["transactions", csv, "--validate-only"], { stop: stop.signal });
  live.onAnswer = undefined;
  expect(stopped.code).toBe(1);
  expect(await uploads()).toMatchObject([{ state: "receiving", receivedBytes: 4 * 1024 * 1024 }]);
  const [{ uuid }] = await uploads();

  const started = await push(["transactions", csv, "--validate-only", "--no-wait"]);
  expect(started.error).toContain("continuing after");
  expect(started).toMatchObject({ code: 0, out: expect.stringContaining(`working on upload ${uuid}`) });
});

test("options that make no sense together are refused with a reason", async () => {
  const { file, line, push } = await newPartner();
  const csv = await file("sessions.csv", header + line("T-1"));
  expect(await push(["transactions", csv, "--dry-run"])).toMatchObject({
    code: 1,
    error: expect.stringContaining("cannot be used with option '--dry-run'"),
  });
  expect(await push(["transactions", "-"])).toMatchObject({
    code: 1,
    error: expect.stringContaining("--background needs a file"),
  });
  const { folder } = await newPartner();
  expect((await push([folder, "--no-wait"])).error).toContain("--no-wait works only for single files");
});

test("the error for a key without the permission names it", async () => {
  const { file, line, organizationId, push } = await newPartner();
  await live.gatehouse.database.work.query(
    "update api_keys set permissions = array_remove(permissions, 'uploads:write') where organization_id = $1",
    [organizationId],
  );
  const refused = await push(["transactions", await file("sessions.csv", header + line("T-1"))]);
  expect(refused).toMatchObject({ code: 1, error: expect.stringContaining("uploads:write") });
});
