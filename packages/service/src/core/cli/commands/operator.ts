import { Command } from "commander";
import {
  disableOperator,
  listOperators,
  resetOperator,
  type Operator,
} from "../../organizations/operators.js";
import { signInAddress, signInLinkHours } from "../../organizations/sign-in-links.js";
import { linkAddress, commandLineActor, describedCommand, printResult, card, table } from "../output.js";
import { withDatabase } from "../with-database.js";

export function operatorCommand(): Command {
  const command = new Command("operator").description(
    "list, disable, enable and reset operators, who see all organizations",
  );
  command.addCommand(listCommand());
  command.addCommand(disableCommand());
  command.addCommand(enableCommand());
  command.addCommand(resetCommand());
  return command;
}

function listCommand(): Command {
  return describedCommand(new Command("list").description("list all operators"), ["operator list"]).action(
    async (options: { json?: boolean }) => {
      const operators = await withDatabase(({ pool }) => listOperators(pool));
      printResult(options, operators, () =>
        table(
          ["UUID", "Email", "State", "Last seen"],
          operators.map((operator) => [
            operator.uuid,
            operator.email,
            operatorState(operator),
            operator.lastSeenAt,
          ]),
          "There are no operators yet. Create one: gatehouse user create --email EMAIL --role operator",
        ),
      );
    },
  );
}

function disableCommand(): Command {
  return describedCommand(
    new Command("disable")
      .description("disable an operator and sign them out everywhere")
      .argument("<email>", "the operator"),
    ["operator disable jo@example.com"],
  ).action(async (email: string, options: { json?: boolean }) => {
    const operator = await changeDisabled(email, true);
    printResult(options, operator, () => `${operator.email} is disabled and signed out.`);
  });
}

function enableCommand(): Command {
  return describedCommand(
    new Command("enable").description("enable a disabled operator").argument("<email>", "the operator"),
    ["operator enable jo@example.com"],
  ).action(async (email: string, options: { json?: boolean }) => {
    const operator = await changeDisabled(email, false);
    printResult(options, operator, () => `${operator.email} is enabled.`);
  });
}

function changeDisabled(email: string, isDisabled: boolean): Promise<Operator> {
  return withDatabase(({ pool }) => disableOperator(pool, { email, isDisabled, actor: commandLineActor }));
}

function resetCommand(): Command {
  return describedCommand(
    new Command("reset")
      .description("remove an operator's password, end their sessions and create a one-time sign-in link")
      .argument("<email>", "the operator"),
    ["operator reset jo@example.com"],
  ).action(async (email: string, options: { json?: boolean }) => {
    const shown = await withDatabase(async ({ pool, config }) => {
      const { operator, signInToken } = await resetOperator(pool, { email, actor: commandLineActor });
      const address = await linkAddress(pool, config);
      return { ...operator, link: signInAddress(address, signInToken) };
    });
    printResult(
      options,
      shown,
      () =>
        `${card({ ...shown })}\n\nThe link works once and expires after ${signInLinkHours} hours. It is shown only now.`,
    );
  });
}

function operatorState(operator: Operator): string {
  if (operator.disabledAt) return "disabled";
  return operator.hasPassword ? "active" : "no password yet";
}
