import { Command } from "commander";
import { commandLineActor, describedCommand, printResult } from "../../core/cli/output.js";
import { withDatabase } from "../../core/cli/with-database.js";
import { unbindProvider } from "./identities.js";

export function unbindProviderCommand(): Command {
  return describedCommand(
    new Command("unbind-provider")
      .description(
        "unlink a user from their account at the OpenID provider, and end the sessions that it opened",
      )
      .argument("<email>", "the user, an operator or a member of an organization"),
    ["user unbind-provider jo@example.com"],
  ).action(async (email: string, options: { json?: boolean }) => {
    const shown = await withDatabase(({ pool }) => unbindProvider(pool, { email, actor: commandLineActor }));
    printResult(options, shown, () =>
      shown.unbound.length > 0
        ? `${shown.email} is linked to no account at the provider until they sign in with it again.`
        : `${shown.email} was not linked to an account at a provider.`,
    );
  });
}
