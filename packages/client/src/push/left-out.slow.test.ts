import { join } from "node:path";
import { expect, test } from "vitest";
import { createPushTenant } from "../../testing/push-tenant.js";
import { useLiveService } from "../../testing/live-service.js";
import { readResults, runPush } from "../../testing/run-push.js";

const live = useLiveService();

test("rows and fields that the mapping leaves out are counted, and every row of the file has an outcome", async () => {
  const { file, push, folder, locationUuid } = await createPushTenant(live);
  const rows = [
    "1,2026-04-01,VOID,",
    "2,2026-04-01T10:00:00Z,OK,no address",
    "2,2026-04-01T11:00:00Z,OK,jo@example.com",
    "3,x,OK,",
    "4,2026-04-01T10:00:00Z,test,",
  ];
  const csv = await file("export.csv", `Ticket,Paid,Status,Mail\n${rows.join("\n")}\n`);
  const mapping = {
    columns: {
      ...{ Ticket: "transactionId", Paid: "transactionDate", Status: null },
      Mail: { to: "contact.email", onProblem: "leaveOut" },
    },
    constants: { type: "Transient", locationUuid },
    leaveOut: [{ column: "Status", values: ["VOID", "TEST"] }],
  };
  const mapped = ["--mapping", await file("mapping.json", JSON.stringify(mapping))];

  const checked = await runPush(["transactions", csv, ...mapped, "--dry-run", "--json"]);
  expect(JSON.parse(checked.out)).toMatchObject([
    {
      tally: {
        records: 5,
        valid: 1,
        conflicts: 1,
        failed: 1,
        leftOut: 2,
        fieldsLeftOut: { "contact.email": 1 },
      },
    },
  ]);
  const pushed = await push(["transactions", csv, ...mapped]);
  expect(pushed.code).toBe(2);
  expect(pushed.out).toMatch(
    / created +1\n +skipped +0 +already stored\n +conflicts +1 .*\n +failed +1\n.*\n +left out +2 +by "leaveOut" of the mapping\n/,
  );
  expect(pushed.out).toContain(
    '    1 row without contact.email, because its value is not valid: "no address" in line 3\n',
  );
  expect(await readResults(join(folder, "export.push"))).toMatchObject([
    { line: 2, outcome: "LeftOut", column: "Status", value: "VOID" },
    { line: 3, outcome: "Created" },
    { line: 4, outcome: "Skipped", isConflict: true },
    { line: 5, outcome: "Failed" },
    { line: 6, outcome: "LeftOut", column: "Status", value: "test" },
  ]);
});

test("a total at the end of the file is set aside, counted and shown", async () => {
  const { file, locationUuid } = await createPushTenant(live);
  const rows = Array.from(
    { length: 12 },
    (_, index) => `T-${index},${locationUuid},Flex,2026-04-01T14:30:00Z,1.50`,
  );
  const content = `transactionId,locationUuid,type,transactionDate,amountTotal\n${rows.join("\n")}\nTotal,,,,18.00\n`;
  const csv = await file("sessions.csv", content);
  const checked = await runPush(["transactions", csv, "--dry-run"]);
  expect(checked.out).toMatch(/ valid +12\n +failed +0\n +set aside +1 +not a record\n/);
  const json = await runPush(["transactions", csv, "--dry-run", "--json"]);
  expect(JSON.parse(json.out)).toMatchObject([{ setAside: 1, tally: { records: 12 } }]);
});
