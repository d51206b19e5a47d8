import { Command, Option } from "commander";
import { resetSecondFactorOf } from "../../organizations/second-factor/reset-second-factor.js";
import { unbindProvider } from "../../organizations/unbind-provider.js";
import { createUser, roles } from "../../organizations/users.js";
import { commandLineActor, describedCommand, printResult } from "../output.js";
import { readSecret } from "../standard-input.js";
import { card } from "../table.js";
import { withDatabase } from "../with-database.js";

export function userCommand(): Command {
  const command = new Command("user").description(
    "create users of the console, let in those who lost their second factor, and unbind them from the provider",
  );
  command.addCommand(createCommand());
  command.addCommand(resetSecondFactorCommand());
  command.addCommand(unbindProviderCommand());
  return command;
}

function createCommand(): Command {
  return describedCommand(
    new Command("create")
      .description("create a user; the password is read from standard input")
      .requiredOption("--email <email>", "e-mail address to sign in with")
      .addOption(
        new Option("--role <role>", "operators see all organizations; admins and viewers one")
          .choices(roles)
          .makeOptionMandatory(),
      )
      .option("--organization <uuid>", "the organization of an admin or viewer"),
    [
      "user create --email jo@example.com --role operator < password.txt",
      "user create --email ann@example.com --role viewer --organization UUID < password.txt",
    ],
  ).action(async (options: { email: string; role: string; organization?: string; json?: boolean }) => {
    const password = await readSecret("Password");
    const user = await withDatabase(({ pool }) =>
      createUser(pool, {
        email: options.email,
        role: options.role,
        organizationId: options.organization,
        password,
        actor: commandLineActor,
      }),
    );
    const { uuid, email, role, organizationUuid, createdAt } = user;
    const shown = { uuid, email, role, organizationUuid, createdAt };
    printResult(options, shown, () => card(shown));
  });
}

function resetSecondFactorCommand(): Command {
  return describedCommand(
    new Command("reset-second-factor")
      .description("take the second factor away from somebody who lost it and its recovery codes")
      .argument("<email>", "the user, an operator or a member of an organization"),
    ["user reset-second-factor jo@example.com"],
  ).action(async (email: string, options: { json?: boolean }) => {
    const shown = await withDatabase(({ pool }) =>
      resetSecondFactorOf(pool, { email, actor: commandLineActor }),
    );
    printResult(options, shown, () =>
      shown.hadSecondFactor
        ? `${shown.email} signs in without a second factor until they set up another.`
        : `${shown.email} has no second factor.`,
    );
  });
}

function unbindProviderCommand(): Command {
  return describedCommand(
    new Command("unbind-provider")
      .description("forget who somebody is at the OpenID provider, and end the sessions that it opened")
      .argument("<email>", "the user, an operator or a member of an organization"),
    ["user unbind-provider jo@example.com"],
  ).action(async (email: string, options: { json?: boolean }) => {
    const shown = await withDatabase(({ pool }) => unbindProvider(pool, { email, actor: commandLineActor }));
    printResult(options, shown, () =>
      shown.unbound.length > 0
        ? `${shown.email} is bound to nobody at the provider until they sign in with it again.`
        : `${shown.email} was bound to nobody at a provider.`,
    );
  });
}
