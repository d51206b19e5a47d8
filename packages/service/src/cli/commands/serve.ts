import { Command } from "commander";
import { describedCommand } from "../output.js";
import { emphasis } from "../table.js";
import { packageVersion } from "../version.js";

export function serveCommand(): Command {
  return describedCommand(
    new Command("serve").description(
      "run the service: set up what is missing, listen, and stop in good order on SIGTERM or Ctrl-C",
    ),
    ["serve", "serve --json > started.json"],
  ).action(async (options: { json?: boolean }) => {
    // Loaded only here: the web framework would make every other command start half a second later.
    const { serve } = await import("../../main.js");
    await serve({ version: packageVersion(), json: options.json ?? false, emphasis });
  });
}
