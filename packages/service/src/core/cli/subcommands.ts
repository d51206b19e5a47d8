import type { Command } from "commander";
import type { CommandContext } from "../feature.js";

/** Adds what features offer under a command of the core. */
export async function addSubcommands(command: Command, context: CommandContext): Promise<Command> {
  for (const { subcommands = {} } of context.features) {
    const load = subcommands[command.name()];
    if (load) command.addCommand(await load(context));
  }
  return command;
}
