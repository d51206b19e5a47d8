import { Command, Option } from "commander";
import { createUser, roles } from "../../organizations/users.js";
import { commandLineActor, describedCommand, printResult } from "../output.js";
import { readSecret } from "../standard-input.js";
import { card } from "../table.js";
import { withDatabase } from "../with-database.js";

export function userCommand(): Command {
  const command = new Command("user").description("create users of the console");
  command.addCommand(createCommand());
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
