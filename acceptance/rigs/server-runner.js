// One PostgreSQL server without supervision, for rigs with several of them: takes a folder, a port (0: any)
// and settings, prints its address when it answers, and stops when its standard input ends.
import { spawn } from "node:child_process";
import { openSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { prepareCluster } from "../../packages/local-postgres/dist/cluster.js";
import { findFreePort } from "../../packages/local-postgres/dist/settings.js";
import { serverEnvironment } from "../../packages/local-postgres/dist/launcher.js";
import { settingArguments } from "../../packages/local-postgres/dist/settings.js";
import { connectionString, openUsage } from "../../packages/local-postgres/dist/usage.js";
import { gatehouse } from "../../packages/service/dist/core/database/database-server.js";
import { embeddedSettings } from "../../packages/service/dist/core/database/database-server.js";

const [folder = "", portText, settings = "{}"] = process.argv.slice(2);
const retryIntervalMs = 20;

const cluster = await prepareCluster({
  product: gatehouse,
  dataDirectory: folder,
  mayCreate: true,
  log: () => {},
});
const port = Number(portText) || (await findFreePort());
const serverArguments = [
  "-D",
  cluster.directory,
  "-p",
  String(port),
  ...settingArguments({ ...embeddedSettings, ...JSON.parse(settings) }),
];
const launch = cluster.launcher(cluster.binaries.postgres, serverArguments);
const log = openSync(cluster.logFile, "a", 0o600);
const server = spawn(launch.command, launch.arguments, {
  ...launch.options,
  cwd: "/",
  env: serverEnvironment(),
  stdio: ["ignore", log, log],
});
server.once("exit", (code) => process.exit(code ?? 1));
process.stdin.resume().on("end", () => server.kill("SIGINT"));

// Held as long as the server runs, so that a command that joins it does not stop it as its last user.
while (!(await openUsage(cluster, port).catch(() => undefined))) await sleep(retryIntervalMs);
process.stdout.write(`${connectionString(cluster, port)}\n`);
