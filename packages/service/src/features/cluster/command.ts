import { Command } from "commander";
import { readConfig } from "../../core/config.js";
import { useDatabaseServer } from "../../core/database/database-server.js";
import { distribute, type DistributionReport } from "./distribute.js";
import { OperatorError } from "../../core/operator-error.js";
import { throughPooler } from "../../core/database/schema/schema-lock.js";
import { describedCommand, printResult, remark, table } from "../../core/cli/output.js";

export function distributeCommand(): Command {
  return describedCommand(
    new Command("distribute").description(
      "distribute a migrated database that has the Citus extension over its nodes, by organization; stop the service first; can be repeated safely",
    ),
    ["distribute", "distribute --json"],
  ).action(async (options: { json?: boolean }) => {
    const config = readConfig(process.env);
    if (config.databasePooler === "transaction") throw new OperatorError(throughPooler);
    const server = await useDatabaseServer(config);
    try {
      const report = await distribute(server.connectionString, remark);
      printResult(options, report, () => describe(report));
    } finally {
      await server.stop();
    }
  });
}

function describe({ citusVersion, nodes, advice, tables }: DistributionReport): string {
  const rows = tables.map(({ table, kind, changed }) => [table, kind, changed ? "done" : "as it was"]);
  const places = `${nodes} node${nodes === 1 ? "" : "s"}`;
  const done = `The database is distributed over ${places} (Citus ${citusVersion}).`;
  return [table(["Table", "Kind", ""], rows, ""), done, ...advice].join("\n\n");
}
