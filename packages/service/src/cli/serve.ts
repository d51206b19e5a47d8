import { Command } from "commander";
import { givenLogFormat } from "../core/config/variables/log.js";
import { describeFailure } from "../core/cli/failure.js";
import { describedCommand, emphasis } from "../core/cli/output.js";
import { packageVersion } from "../core/version.js";

/** `pages` resolves when the console's pages have been built. */
export function serveCommand(pages?: Promise<void>): Command {
  return describedCommand(
    new Command("serve").description(
      "run the service: prepare the database, listen, and shut down cleanly on SIGTERM or Ctrl-C",
    ),
    ["serve", "serve --json > started.json"],
  ).action(async (options: { json?: boolean }) => {
    // Loaded here because the web framework would delay the start of every other command by half a second.
    const { serve } = await import("../main.js");
    const json = options.json ?? false;
    try {
      await serve({ version: packageVersion(), json, emphasis, pages });
    } catch (error) {
      const { createLogger, logFormat } = await import("../core/logger.js");
      const format = logFormat(givenLogFormat(process.env), process.stderr);
      if (json || format === "pretty") throw error;
      // With JSON logging, a failed start is logged as JSON too.
      const logger = await createLogger("info", format, process.stderr);
      logger.fatal(describeFailure(error));
      process.exitCode = 1;
    }
  });
}
