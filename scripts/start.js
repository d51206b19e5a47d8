// npm start: builds what is out of date and serves, in one process. npm runs it through a shell, and a shell in between
// would die of the signal that is meant for the service; hence the `exec` in package.json, which puts this process in
// the shell's place. Where the shell knows no exec (Windows), the part behind || runs instead.
import { existsSync } from "node:fs";

if (!existsSync(new URL("../node_modules", import.meta.url))) {
  console.error("Nothing is installed here yet. Run: npm ci && npm start");
  process.exit(1);
}
const { buildToRun } = await import("./build.js");
const { pages, service } = buildToRun();
// The service waits for the build of the console and reports its failure.
pages.catch(() => undefined);
await service;
const { runCommandLine } = await import("../packages/service/dist/cli/command-line.js");
// The database starts or is created while the console is bundled.
await runCommandLine(["serve", ...process.argv.slice(2)], { pages });
