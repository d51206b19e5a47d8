import { expect, test } from "vitest";
import type { Row, Table } from "../table.js";
import { checkFile } from "./check-file.js";
import { toMapping } from "./mapping.js";

async function* rowsOf(cells: readonly string[][]): AsyncGenerator<Row> {
  for (const [index, row] of cells.entries()) yield { line: index + 2, cells: row };
}
const columns = ["transactionId", "sessionEnd", "Status", "vehicle.state"];
const table = (cells: readonly string[][]): Table => ({ columns, rows: rowsOf(cells), facts: () => [] });
const options = {
  mapping: toMapping({ leaveOut: [{ column: "Status", values: ["VOID"] }] }),
  ignoreUnknownColumns: false,
  timeZone: undefined,
  asksAboutTimes: true,
};

test("every row is valid, failed or left out, and equal problems are grouped with different examples", async () => {
  const row = (end: string, status = "") => ["T-1", end, status, ""];
  const check = await checkFile(
    table([
      row("03/04/2026 10:00"),
      row("03/04/2026 10:00"),
      row("04/04/2026 11:00"),
      row("soon"),
      row("", "void"),
    ]),
    "transactions",
    options,
  );
  expect(check).toMatchObject({ rows: 5, valid: 0, failed: 4, leftOut: 1, otherProblems: 0 });
  const undeclared = check.problems.find(({ message }) => message.startsWith("can be read as M/d/yyyy"));
  expect(undeclared).toEqual({
    path: "sessionEnd",
    message: expect.stringContaining('set "time" in the mapping'),
    rows: 2,
    examples: [{ line: 2, value: "03/04/2026 10:00" }],
  });
  expect(check.problems.map(({ path, rows }) => ({ path, rows }))).toContainEqual({
    path: "sessionEnd",
    rows: 1,
  });
  expect(check.problems).toContainEqual({
    path: "type",
    message: "is required",
    rows: 1,
    examples: [{ line: 5 }],
  });
  expect(check.findings.map(({ code }) => code)).toContain("rowsLeftOut");
});

test("a problem in a nested object shows its value", async () => {
  const { problems } = await checkFile(
    table([["T-1", "", "", "A state that is too long"]]),
    "transactions",
    options,
  );
  expect(problems).toContainEqual({
    path: "vehicle.state",
    message: "must have at most 8 characters",
    rows: 1,
    examples: [{ line: 2, value: "A state that is too long" }],
  });
});

test("a check can be stopped", async () => {
  const signal = AbortSignal.abort(new Error("stopped by the user"));
  await expect(checkFile(table([["1", "", "", ""]]), "transactions", { ...options, signal })).rejects.toThrow(
    "stopped by the user",
  );
});
