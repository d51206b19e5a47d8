import { Command } from "commander";
import { commandLineActor, describedCommand, printResult } from "../../core/cli/output.js";
import { withDatabase } from "../../core/cli/with-database.js";
import { resetSecondFactorByEmail } from "./second-factors.js";

export function resetSecondFactorCommand(): Command {
  return describedCommand(
    new Command("reset-second-factor")
      .description("remove the second factor of a user who lost it and its recovery codes")
      .argument("<email>", "the user, an operator or a member of an organization"),
    ["user reset-second-factor jo@example.com"],
  ).action(async (email: string, options: { json?: boolean }) => {
    const shown = await withDatabase(({ pool }) =>
      resetSecondFactorByEmail(pool, { email, actor: commandLineActor }),
    );
    printResult(options, shown, () =>
      shown.hadSecondFactor
        ? `${shown.email} signs in without a second factor until they set up another.`
        : `${shown.email} has no second factor.`,
    );
  });
}
