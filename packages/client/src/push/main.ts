import { run } from "./run.js";

/** The process around the command: arguments, streams, signals and the exit code. */
const stop = new AbortController();

function onSignal(): void {
  // The second time the user means it: whatever is lost is sent again by the next run.
  if (stop.signal.aborted) process.exit(1);
  process.stderr.write("\nStopping after the request under way. Once more to stop at once.\n");
  stop.abort(new Error("stopped"));
}
process.on("SIGINT", onSignal);
process.on("SIGTERM", onSignal);

process.exitCode = await run(process.argv.slice(2), {
  environment: process.env,
  standardInput: process.stdin,
  out: (text) => void process.stdout.write(text),
  errorStream: process.stderr,
  stop: stop.signal,
});
