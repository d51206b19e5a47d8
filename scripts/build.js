// Builds what is out of date: the packages with the compiler's incremental build, the console with its
// bundler if a source changed. Without changes it takes a fraction of a second, so `npm start` can always
// call it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { stripTypes } from "./strip-types.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const require = createRequire(import.meta.url);
const consoleFolder = path.join(root, "packages/console");
/** The console bundles the sources of the packages, not their compiled form. */
const consoleSources = [
  "packages/console/src",
  "packages/console/public",
  "packages/console/index.html",
  "packages/console/styles-in-use.ts",
  "packages/console/vite.config.ts",
  "packages/console/package.json",
  "packages/client/src",
  "packages/contract/src",
  "packages/json-text/src",
  "packages/record-files/src",
].map((name) => path.join(root, name));

export async function build() {
  await Promise.all([buildPackages(), bundleConsole()]).catch(() => process.exit(1));
}

/** Builds the packages without the console. The compiler has already printed its errors. */
export async function buildPackages() {
  await run("typescript/bin/tsc", ["-b"], root).catch(() => process.exit(1));
}

/** Builds without type checking, by stripping types. Bundling the console takes longer than the rest. */
export function buildToRun() {
  return { pages: bundleConsole(), service: stripTypes(root) };
}

async function bundleConsole() {
  if (!consoleIsStale()) return;
  // Stdout belongs to the caller.
  console.error("Building the pages of the console ...");
  await run("vite/bin/vite.js", ["build", "--logLevel", "warn"], consoleFolder);
}

function consoleIsStale() {
  if (!existsSync(path.join(consoleFolder, "index.html"))) return false;
  const built = path.join(consoleFolder, "dist/index.html");
  return !existsSync(built) || Math.max(...consoleSources.map(newestChange)) > statSync(built).mtimeMs;
}

/**
 * @param {string} file
 * @returns {number} of everything in it, if it is a folder
 */
function newestChange(file) {
  if (!existsSync(file)) return 0;
  const status = statSync(file);
  if (!status.isDirectory()) return status.mtimeMs;
  return Math.max(status.mtimeMs, ...readdirSync(file).map((name) => newestChange(path.join(file, name))));
}

async function run(
  /** @type {string} */ program,
  /** @type {string[]} */ programArguments,
  /** @type {string} */ cwd,
) {
  const [packageName, ...rest] = program.split("/");
  const script = path.join(path.dirname(require.resolve(`${packageName}/package.json`)), ...rest);
  const child = spawn(process.execPath, [script, ...programArguments], {
    cwd,
    stdio: "inherit",
    // Tests also build, and with their NODE_ENV the bundler would use the development version of React.
    env: { ...process.env, NODE_ENV: "production" },
  });
  const [status] = await once(child, "exit");
  if (status !== 0) throw new Error(`The build failed: ${packageName} ended with ${status}.`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build();
