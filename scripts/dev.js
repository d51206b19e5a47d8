// npm run dev [-- --port 5173]: the development loop. Vite serves the console from its sources, reloads changed modules in
// place and forwards requests to the service (packages/console/vite.config.ts). The compiler watches the packages, and the
// service restarts when the compiler has written something.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, watch } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build, buildPackages } from "./build.js";
import { carriedBy } from "./release/carried.js";

/** @typedef {import("node:child_process").ChildProcess} ChildProcess */

const root = fileURLToPath(new URL("..", import.meta.url));
const require = createRequire(import.meta.url);
const consoleFolder = path.join(root, "packages/console");
const { values: options } = parseArgs({ options: { port: { type: "string", default: "5173" } } });
/** The compiler writes many files per change; restart after this much quiet time. */
const quietMs = 200;
/** How long a process may take to end after its parent. */
const groupEndMs = 5_000;
const groupCheckMs = 20;
/** Windows has no process groups. */
const ownGroup = process.platform !== "win32";

// The service serves the built console and does not start without it. The build may be older than the
// sources.
await (existsSync(path.join(consoleFolder, "dist/index.html")) ? buildPackages() : build());
const helpers = [
  start(script("typescript", "bin/tsc"), ["-b", "--watch", "--preserveWatchOutput"], root),
  start(script("vite", "bin/vite.js"), ["--port", options.port, "--strictPort"], consoleFolder),
];
console.log(
  `The console with hot reload is at http://localhost:${options.port} (sign-in links work there too).`,
);

let service = startService();
let ending = false;
/** @type {NodeJS.Timeout | undefined} */
let restartTimer;
for (const { folder } of [{ folder: "packages/service" }, ...carriedBy("packages/service")]) {
  watch(path.join(root, folder, "dist"), { recursive: true }, (_event, name) => {
    if (!name?.endsWith(".js")) return;
    clearTimeout(restartTimer);
    restartTimer = setTimeout(() => void restart(), quietMs);
  });
}
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => void end());

async function restart() {
  if (ending) return;
  console.log("\nRestarting the service");
  await stop(service);
  service = startService();
}

async function end() {
  if (ending) return;
  ending = true;
  await Promise.all([...helpers, service].map(stop));
  process.exit(0);
}

/** @param {ChildProcess} child */
async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  // The whole process group: the compiler is a native program behind a script that does not forward signals.
  if (ownGroup && child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
  else child.kill("SIGTERM");
  await ended;
  const deadline = Date.now() + groupEndMs;
  while (groupRuns(child) && Date.now() < deadline) await delay(groupCheckMs);
}

/** @param {ChildProcess} child */
function groupRuns({ pid }) {
  try {
    return ownGroup && pid !== undefined && process.kill(-pid, 0);
  } catch {
    return false;
  }
}

function startService() {
  return start(path.join(root, "packages/service/bin/gatehouse.js"), ["serve"], root);
}

/**
 * @param {string} file
 * @param {string[]} fileArguments
 * @param {string} cwd
 */
function start(file, fileArguments, cwd) {
  return spawn(process.execPath, [file, ...fileArguments], { cwd, stdio: "inherit", detached: ownGroup });
}

/**
 * @param {string} packageName
 * @param {string} file
 */
function script(packageName, file) {
  return path.join(path.dirname(require.resolve(`${packageName}/package.json`)), file);
}
