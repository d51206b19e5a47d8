// Compiles on every change and restarts the service when the compiler has written something.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, watch } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "./build.js";
import { carriedBy } from "./release/carried.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const require = createRequire(import.meta.url);
/** The compiler writes many files for one change; the restart waits until it has been quiet for this long. */
const quietMs = 200;
/** Windows has no process groups. */
const ownGroup = process.platform !== "win32";

await build();
const helpers = [start(script("typescript", "bin/tsc"), ["-b", "--watch", "--preserveWatchOutput"], root)];
if (existsSync(path.join(root, "packages/console/index.html"))) {
  helpers.push(
    start(script("vite", "bin/vite.js"), ["build", "--watch"], path.join(root, "packages/console")),
  );
}

let service = startService();
let ending = false;
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
  console.log("\nRestarting");
  await stop(service);
  service = startService();
}

async function end() {
  if (ending) return;
  ending = true;
  await Promise.all([...helpers, service].map(stop));
  process.exit(0);
}

async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  // The whole group: the compiler is a native program behind a script that does not pass signals on.
  if (ownGroup) process.kill(-child.pid, "SIGTERM");
  else child.kill("SIGTERM");
  await ended;
}

function startService() {
  return start(path.join(root, "packages/service/bin/gatehouse.js"), ["serve"], root);
}

function start(file, fileArguments, cwd) {
  return spawn(process.execPath, [file, ...fileArguments], { cwd, stdio: "inherit", detached: ownGroup });
}

function script(packageName, file) {
  return path.join(path.dirname(require.resolve(`${packageName}/package.json`)), file);
}
