import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runPush } from "../../testing/run-push.js";
import { checkOffline } from "./offline-check.js";

test("the offline check returns what the service would return", () => {
  const valid =
    '{"transactionId":"T-1","locationUuid":"6f0d2c68-6a40-7c1e-8a52-0a1f4f3e9d10","type":1,"transactionDate":"2026-04-01T14:30:00Z"}';
  expect(checkOffline("transactions", valid)).toEqual({ outcome: "Valid", reference: "T-1" });
  expect(checkOffline("accounts", '{"tpReferenceId":"A-1","type":9}')).toEqual({
    outcome: "Failed",
    reference: "A-1",
    reasonCode: 4,
    reason: "MissingRequiredField",
    errorDetail: "name is required; type must be one of 1, 2, 3",
  });
  const amount = (text: string) =>
    checkOffline("transactions", valid.replace("{", `{"amountTotal":${text},`));
  expect(amount("999999999999.9999999999").outcome).toBe("Valid");
  expect(amount("1000000000000").outcome).toBe("Failed");
  const nesting = (levels: number) =>
    checkOffline(
      "transactions",
      valid.replace("{", `{"metadata":{"]":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}},`),
    );
  expect(nesting(64).outcome).toBe("Valid");
  expect(nesting(65)).toMatchObject({ outcome: "Failed", reasonCode: 5 });
  expect(checkOffline("transactions", "7")).toMatchObject({
    outcome: "Failed",
    reference: "",
    reasonCode: 5,
  });
});

test("a dry run compares the ids of valid records only, in the outcomes and in the warnings", async () => {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-dry-run-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "accounts.csv");
  const rows = ["A-1,9,Wrong", "A-1,1,Right", "A-1,1,Right", "A-1,1,Other"];
  await writeFile(file, `tpReferenceId,type,name\n${rows.join("\n")}\n`);
  const { out } = await runPush(["accounts", file, "--dry-run", "--json"]);
  const [{ tally, findings }] = JSON.parse(out);
  expect(tally).toMatchObject({ failed: 1, valid: 1, skipped: 1, conflicts: 1 });
  expect(findings.map(({ code, rows: count }: Record<string, unknown>) => [code, count])).toEqual([
    ["idRepeated", 1],
    ["idWithOtherValues", 1],
  ]);
});
