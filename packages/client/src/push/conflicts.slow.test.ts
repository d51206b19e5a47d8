import { readFile, readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createPushTenant } from "../../testing/push-tenant.js";
import { useLiveService } from "../../testing/live-service.js";
import { readResults, runPush } from "../../testing/run-push.js";

const live = useLiveService();

const header = "transactionId,locationUuid,type,transactionDate,amountTotal";
const contentOf = (rows: readonly string[]) => `${header}\n${rows.join("\n")}\n`;

async function newTenant() {
  const tenant = await createPushTenant(live);
  const row = (id: string, amount: string) =>
    `${id},${tenant.locationUuid},Transient,2026-04-01T14:30:00Z,${amount}`;
  return { ...tenant, row };
}

test("a reference that is stored with other values is a conflict, with its own count, file and exit code", async () => {
  const { file, push, folder, row } = await newTenant();
  await push(["transactions", await file("north.csv", contentOf([row("7", "1.50"), row("8", "2.50")]))]);

  const south = await file("south.csv", contentOf([row("7", "1.50"), row("8", "9.90"), row("9", "3.00")]));
  const counts = { created: 1, skipped: 1, conflicts: 1, failed: 0 };
  const validated = await push(["transactions", south, "--validate-only", "--json"]);
  expect(validated.code).toBe(3);
  expect(JSON.parse(validated.out)).toMatchObject([{ tally: counts }]);

  const pushed = await push(["transactions", south]);
  expect(pushed.code).toBe(3);
  expect(pushed.out).toMatch(
    / created +1\n +skipped +1 +already stored\n +conflicts +1 +the same ID with other values\n +failed +0\n/,
  );
  const conflicts = join(folder, "south.push", "conflicts.csv");
  expect(pushed.out).toContain(`  conflicts    ${conflicts}\n`);
  expect(pushed.out).toContain('"transactionId": {"to":"transactionId","prefix":"NAME-"}');
  expect(await readFile(conflicts, "utf8")).toBe(
    `${header},failure.line,failure.code,failure.name,failure.detail\n${row("8", "9.90")},3,1,DuplicateTransactionId,A transaction with this transactionId is already stored with other values: amountTotal; nothing was changed\n`,
  );
  expect(await readResults(join(folder, "south.push"))).toMatchObject([
    { outcome: "Skipped", isConflict: false },
    { outcome: "Skipped", isConflict: true },
    { outcome: "Created" },
  ]);

  const renamed = join(folder, "renamed.csv");
  const corrected = (await readFile(conflicts, "utf8")).replace("\n8,", "\nS-8,");
  await rename(conflicts, renamed);
  await file("renamed.csv", corrected);
  expect(await push(["transactions", renamed])).toMatchObject({
    code: 0,
    out: expect.stringMatching(/created +1\n/),
  });
});

test("a push that continues appends to its conflicts, and one that starts over replaces them", async () => {
  const { file, push, folder, row } = await newTenant();
  const first = [row("7", "1.50"), row("7", "2.50")];
  const csv = await file("sessions.csv", contentOf(first));
  const linesOf = async () => {
    const text = await readFile(join(folder, "sessions.push", "conflicts.csv"), "utf8");
    return text.split("\n").slice(1, -1);
  };
  expect(await push(["transactions", csv])).toMatchObject({ code: 3 });
  expect(await linesOf()).toHaveLength(1);
  await file("sessions.csv", contentOf([...first, row("7", "3.50")]));
  expect(await push(["transactions", csv])).toMatchObject({ code: 3 });
  expect(await linesOf()).toHaveLength(2);

  await file("sessions.csv", contentOf([row("7", "4.50")]));
  expect(await push(["transactions", csv, "--restart"])).toMatchObject({ code: 3 });
  expect(await linesOf()).toEqual([expect.stringContaining("7,")]);
  await file("sessions.csv", contentOf([row("8", "4.50")]));
  expect(await push(["transactions", csv, "--restart"])).toMatchObject({ code: 0 });
  expect(await readdir(join(folder, "sessions.push"))).not.toContain("conflicts.csv");
});

test("a dry run finds references that occur more than once in the file, and whether their records are equal", async () => {
  const { file, row, folder } = await newTenant();
  const rows = [row("7", "1.50"), row("8", "x"), row("8", "2.50"), row("7", "1.50"), row("7", "9.90")];
  const csv = await file("sessions.csv", contentOf(rows));
  const checked = await runPush(["transactions", csv, "--dry-run"]);
  expect(checked.code).toBe(2);
  expect(checked.out).toMatch(
    / valid +2\n +skipped +1 +the same record occurs twice\n +conflicts +1 +the same ID with other values\n +failed +1\n/,
  );
  expect((await readResults(join(folder, "sessions.dry-run"))).slice(3)).toMatchObject([
    { line: 5, outcome: "Skipped", isConflict: false },
    {
      line: 6,
      outcome: "Skipped",
      isConflict: true,
      errorDetail: "transactionId occurs in line 2, with other values",
    },
  ]);
  await file("sessions.csv", contentOf([row("7", "1.50"), row("7", "9.90")]));
  expect(await runPush(["transactions", csv, "--dry-run"])).toMatchObject({ code: 3 });
});
