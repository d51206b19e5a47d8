import { Command, Option } from "commander";
import { addMembership, removeMemberByEmail } from "../../organizations/membership-changes.js";
import { showUser, createUser, roles } from "../../organizations/accounts.js";
import { commandLineActor, describedCommand, printResult, card, table } from "../output.js";
import { addSubcommands, readSecret } from "../options.js";
import type { CommandContext } from "../../feature.js";
import { withDatabase } from "../with-database.js";

export async function userCommand(context: CommandContext): Promise<Command> {
  const command = new Command("user").description("manage console users");
  command.addCommand(createCommand());
  command.addCommand(addCommand());
  command.addCommand(removeCommand(context));
  command.addCommand(showCommand());
  return addSubcommands(command, context);
}

function createCommand(): Command {
  return describedCommand(
    new Command("create")
      .description("create a user; the password is read from standard input")
      .requiredOption("--email <email>", "email address to sign in with")
      .addOption(
        new Option("--role <role>", "operators see all organizations; admins and viewers only their own")
          .choices(roles)
          .makeOptionMandatory(),
      )
      .option("--organization <uuid>", "the first organization of an admin or viewer"),
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

function addCommand(): Command {
  return describedCommand(
    new Command("add")
      .description(
        "give a user access to another organization, with the same password and two-factor authentication",
      )
      .argument("<email>", "an existing admin or viewer")
      .requiredOption("--organization <uuid>", "the organization to add")
      .addOption(
        new Option("--role <role>", "their role in it").choices(["admin", "viewer"]).makeOptionMandatory(),
      ),
    ["user add ann@example.com --organization UUID --role viewer"],
  ).action(
    async (email: string, options: { organization: string; role: "admin" | "viewer"; json?: boolean }) => {
      const shown = await withDatabase(({ pool }) =>
        addMembership(pool, {
          email,
          organizationId: options.organization,
          role: options.role,
          actor: commandLineActor,
        }),
      );
      printResult(options, shown, () => card(shown));
    },
  );
}

function removeCommand({ features }: CommandContext): Command {
  return describedCommand(
    new Command("remove")
      .description("remove a user from an organization; removing the last organization deletes the account")
      .argument("<email>", "the user")
      .requiredOption("--organization <uuid>", "the organization to remove"),
    ["user remove ann@example.com --organization UUID"],
  ).action(async (email: string, options: { organization: string; json?: boolean }) => {
    const shown = await withDatabase(({ pool }) =>
      removeMemberByEmail(pool, {
        email,
        organizationId: options.organization,
        actor: commandLineActor,
        features,
      }),
    );
    printResult(options, shown, () =>
      shown.isAccountDeleted
        ? `${shown.email} belonged to no other organization: the account is gone.`
        : `${shown.email} still belongs elsewhere and keeps the account.`,
    );
  });
}

const headings = ["organization", "name", "role", "accepted", "disabled"];

function showCommand(): Command {
  return describedCommand(
    new Command("show").description("show a user's organizations and roles").argument("<email>", "the user"),
    ["user show ann@example.com"],
  ).action(async (email: string, options: { json?: boolean }) => {
    const { memberships, ...shown } = await withDatabase(({ pool }) => showUser(pool, email));
    printResult(options, { ...shown, memberships }, () =>
      [card(shown), table(headings, memberships.map(Object.values), "The user has no organization.")].join(
        "\n\n",
      ),
    );
  });
}
