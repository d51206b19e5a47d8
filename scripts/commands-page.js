// The reference of the commands, from their own help.
const { buildProgram } = await import("../packages/service/dist/cli/program.js");

/** @typedef {Awaited<ReturnType<typeof buildProgram>>} Command */

export async function commandsPage() {
  const program = await buildProgram([]);
  const sections = program.commands.map((command) =>
    command.commands.length === 0
      ? section(command, `gatehouse ${command.name()}`)
      : [
          `## ${command.name()}\n\n${command.description()}\n`,
          ...command.commands.map((one) => section(one, `gatehouse ${command.name()} ${one.name()}`, "###")),
        ].join("\n"),
  );
  return `# Commands

Run \`npx --no -- gatehouse COMMAND\` in a checkout or beside an installed package, and \`gatehouse COMMAND\` in the container. Commands read the
same configuration as the service, work whether or not it runs, and appear in the audit log as "command line". Every command takes
\`--json\`: one JSON document on stdout, everything else on stderr. The exit code is 0, or 1 with a message.

\`npm run docs\` writes this page from the code.

${sections.join("\n")}`;
}

function section(/** @type {Command} */ command, /** @type {string} */ name, level = "##") {
  const options = command.options
    .filter((option) => !option.hidden && option.long !== "--json")
    .map((option) => `| \`${option.flags.replaceAll("|", "\\|")}\` | ${describe(option)} |`);
  const usage = [
    name,
    ...command.registeredArguments.map((argument) =>
      argument.required ? `<${argument.name()}>` : `[${argument.name()}]`,
    ),
  ];
  const table = options.length === 0 ? "" : `\n| Option | Meaning |\n|---|---|\n${options.join("\n")}\n`;
  const title = level === "##" ? command.name() : `${command.parent?.name() ?? ""} ${command.name()}`.trim();
  return `${level} ${title}\n\n\`${usage.join(" ")}\`: ${command.description()}\n${table}`;
}

function describe(/** @type {Command["options"][number]} */ { description, argChoices, mandatory }) {
  const choices = argChoices ? ` (${argChoices.join(", ")})` : "";
  return `${description}${choices}${mandatory ? "; required" : ""}`
    .replaceAll("|", "\\|")
    .replaceAll("\n", " ");
}
