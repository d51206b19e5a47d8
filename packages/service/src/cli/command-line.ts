import { existsSync } from "node:fs";
import { openFilesProblem } from "./open-files.js";
import type { Surroundings } from "./program.js";

/** Runs a command. If it fails, stderr says why and the exit code is not 0. */
export async function runCommandLine(
  words: readonly string[],
  surroundings: Surroundings = {},
): Promise<void> {
  // Checked before other modules are loaded, because loading them would fail.
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
    // A reader may close the pipe early, as in `| head`.
    if (error.code === "EPIPE") process.exit(0);
    process.stderr.write(`The output could not be written: ${describeFailure(error)}\n`);
    process.exit(1);
  });
  try {
    // Variables that are already set take precedence over the .env file. All commands read it, so they use the same
    // database.
    if (existsSync(".env")) process.loadEnvFile(".env");
    const program = await buildProgram(words, surroundings);
    await program.parseAsync(words, { from: "user" });
  } catch (error) {
    process.stderr.write(`${describeFailure(error)}\n`);
    process.exitCode = 1;
  }
}
