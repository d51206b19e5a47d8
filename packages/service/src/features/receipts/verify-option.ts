import { Option } from "commander";
import { printResult, table, warningColour } from "../../core/cli/output.js";
import { withDatabase } from "../../core/cli/with-database.js";
import type { CommandOption } from "../../core/feature.js";
import { readReceiptText } from "./read-receipt-text.js";
import type { ReceiptReport } from "./check-receipt.js";

/** gatehouse verify --receipt FILE */
export const verifyOption: CommandOption = {
  option: new Option(
    "--receipt <file>",
    "check this receipt of an import instead: a file, the receipt itself, or - for standard input",
  ),
  example: "verify --receipt receipt.txt",
  run: verifyReceipt,
};

async function verifyReceipt(given: string, options: { json?: boolean }): Promise<void> {
  const text = await readReceiptText(given);
  const { checkReceipt } = await import("./check-receipt.js");
  const report = await withDatabase(({ pool }) => checkReceipt(pool, text));
  printResult(options, report, () => describeReceipt(report));
  if (!report.ok) process.exitCode = 1;
}

function describeReceipt({ ok, checks, takenBack }: ReceiptReport): string {
  const rows = checks.map(({ name, holds, says }) => [
    name,
    holds === null ? "unknown" : holds ? "yes" : "NO",
    says,
  ]);
  return [
    table(["Check", "Holds", "What was found"], rows, ""),
    "",
    ...(takenBack
      ? [
          `The run was taken back at ${takenBack.at}: ${takenBack.removed} of its records were removed. What the receipt proves is that they had been acknowledged.`,
        ]
      : []),
    ok
      ? "The receipt is genuine, as far as the checks above go."
      : warningColour("The receipt does not hold."),
  ].join("\n");
}
