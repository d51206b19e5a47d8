// npm start: builds what is out of date and serves, in one process. npm runs it through a shell, and a shell in between
// would die of the signal that is meant for the service; hence the `exec` in package.json, which puts this process in
// the shell's place. Where the shell knows no exec (Windows), the part behind || runs instead.
import { buildToRun } from "./build.js";

await buildToRun();
process.argv.splice(2, 0, "serve");
await import("../packages/service/bin/gatehouse.js");
