import { Command, Option } from "commander";
import { checkReceipt, type ReceiptReport } from "../../../features/receipts/check-receipt.js";
import { verifyStoredData, type VerifyReport } from "../../verify/verify.js";
import { describedCommand, printResult } from "../output.js";
import { readReceiptText } from "../../../features/receipts/read-receipt-text.js";
import { table, warningColour } from "../table.js";
import { withDatabase } from "../with-database.js";

interface Options {
  organization?: string;
  receipt?: string;
  json?: boolean;
}

export function verifyCommand(): Command {
  return describedCommand(
    new Command("verify")
      .description(
        "check everything that is stored: no dangling links, counters equal results, one row per key; exits with 1 if something is wrong",
      )
      .option("--organization <uuid>", "only this organization")
      .addOption(
        new Option(
          "--receipt <file>",
          "check this receipt of an import instead: a file, the receipt itself, or - for standard input",
        ).conflicts("organization"),
      ),
    ["verify", "verify --organization UUID --json", "verify --receipt receipt.txt"],
  ).action(async (options: Options) => {
    if (options.receipt !== undefined) return verifyReceipt(options.receipt, options);
    const report = await withDatabase(({ connectionString }) =>
      verifyStoredData(connectionString, { organizationId: options.organization }),
    );
    printResult(options, report, () => describe(report));
    if (!report.ok) process.exitCode = 1;
  });
}

async function verifyReceipt(given: string, options: Options): Promise<void> {
  const text = await readReceiptText(given);
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

function describe(report: VerifyReport): string {
  const rows = report.checks.map(({ name, read, violations }) => [name, read, violations]);
  const wrong = report.checks.filter(({ violations }) => violations > 0);
  const examples = wrong.map(({ name, examples }) => `  ${name}\n    ${(examples ?? []).join("\n    ")}`);
  const places = `${report.organizations} organization${report.organizations === 1 ? "" : "s"}`;
  return [
    table(["Check", "Rows read", "Violations"], rows, ""),
    "",
    report.ok
      ? `Everything is in order in ${places}.`
      : warningColour(`${wrong.length} checks found violations in ${places}. Some of the rows:`),
    ...examples,
  ].join("\n");
}
