import { existsSync } from "node:fs";
import { describeFailure } from "./failure.js";
import { buildProgram } from "./program.js";

// A reader that has seen enough (`| head`) is no error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

try {
  // Variables that are set already win over the file. Every command reads it, so all of them mean the same database.
  if (existsSync(".env")) process.loadEnvFile(".env");
  const words = process.argv.slice(2);
  await (await buildProgram(words)).parseAsync(words, { from: "user" });
} catch (error) {
  process.stderr.write(`${describeFailure(error)}\n`);
  process.exitCode = 1;
}
