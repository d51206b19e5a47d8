import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const buildTimeoutMs = 120_000;

/**
 * The tests drive what production serves, so the application is built from the sources under test first; in a process
 * of its own, because this one runs under NODE_ENV=test and would build the development version of React.
 */
export default async function setup(): Promise<void> {
  const vite = join(dirname(createRequire(import.meta.url).resolve("vite/package.json")), "bin", "vite.js");
  await promisify(execFile)(process.execPath, [vite, "build", "--logLevel", "warn"], {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    env: { ...process.env, NODE_ENV: "production" },
    timeout: buildTimeoutMs,
  });
}
