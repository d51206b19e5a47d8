import { addAbortSignal } from "node:stream";
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

// Whoever read what is printed may be gone, as with | head. The push goes on: what it does is written down in files.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
}

/** Ends when the user stops, even if whoever writes to it neither goes on nor ends. */
async function* readStandardInput(): AsyncGenerator<Buffer> {
  yield* addAbortSignal(stop.signal, process.stdin) as AsyncIterable<Buffer>;
}

process.exitCode = await run(process.argv.slice(2), {
  environment: process.env,
  standardInput: readStandardInput(),
  out: (text) => void process.stdout.write(text),
  errorStream: process.stderr,
  stop: stop.signal,
});
