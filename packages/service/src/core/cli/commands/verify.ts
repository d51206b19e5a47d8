import { Command } from "commander";
import type { CommandContext } from "../../feature.js";
import { verifyStoredData, type VerifyReport } from "../../verify/verify.js";
import { describedCommand, printResult, table, warningColour } from "../output.js";
import { withDatabase } from "../with-database.js";

interface Options {
  organization?: string;
  json?: boolean;
}

export async function verifyCommand({ features }: CommandContext): Promise<Command> {
  const added = await Promise.all(
    features.flatMap(({ commandAdditions }) => commandAdditions?.verify?.() ?? []),
  );
  const command = describedCommand(
    new Command("verify")
      .description(
        "check all stored data for dangling links, wrong counters and duplicate keys; exits with 1 if it finds a problem",
      )
      .option("--organization <uuid>", "only this organization"),
    ["verify", "verify --organization UUID --json", ...added.map(({ example }) => example)],
  );
  for (const { option } of added) command.addOption(option.conflicts("organization"));
  return command.action(async (options: Options & Record<string, unknown>) => {
    for (const { option, run } of added) {
      const value = options[option.attributeName()];
      if (value !== undefined) return run(String(value), options);
    }
    const report = await withDatabase(({ connectionString }) =>
      verifyStoredData(connectionString, { organizationId: options.organization, features }),
    );
    printResult(options, report, () => describe(report));
    if (!report.ok) process.exitCode = 1;
  });
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
      ? `No problems found in ${places}.`
      : warningColour(`${wrong.length} checks found violations in ${places}. Some of the rows:`),
    ...examples,
  ].join("\n");
}
