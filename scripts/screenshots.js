import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/**
 * Takes the screenshots of the console, docs/images/console-*.png, from a demo organization with a month of
 * data.
 */
const root = fileURLToPath(new URL("..", import.meta.url));
const vitest = fileURLToPath(new URL("../node_modules/vitest/vitest.mjs", import.meta.url));
const { status } = spawnSync(
  process.execPath,
  [vitest, "run", "--config", "packages/console/e2e/screenshots.config.ts"],
  { cwd: root, stdio: "inherit" },
);
process.exitCode = status ?? 1;
