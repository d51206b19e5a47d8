import { existsSync } from "node:fs";
import { openFilesProblem } from "./open-files.js";
import type { Surroundings } from "./program.js";

/** Runs one line of the command line, and says on stderr and by the exit code why it failed. */
export async function runCommandLine(
  words: readonly string[],
  surroundings: Surroundings = {},
): Promise<void> {
  // Before anything else is loaded: loading is what would fail.
  const problem = openFilesProblem();
  if (problem !== undefined) {
    process.stderr.write(`${problem}\n`);
    process.exitCode = 1;
    return;
  }
  const [{ describeFailure }, { buildProgram }] = await Promise.all([
    import("../core/cli/failure.js"),
    import("./program.js"),
  ]);
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    // A reader that has seen enough (`| head`) is no error.
    if (error.code === "EPIPE") process.exit(0);
    process.stderr.write(`The output could not be written: ${describeFailure(error)}\n`);
    process.exit(1);
  });
  try {
    // Variables that are set already win over the file. Every command reads it, so all of them mean the same database.
    if (existsSync(".env")) process.loadEnvFile(".env");
    const program = await buildProgram(words, surroundings);
    await program.parseAsync(words, { from: "user" });
  } catch (error) {
    process.stderr.write(`${describeFailure(error)}\n`);
    process.exitCode = 1;
  }
}
