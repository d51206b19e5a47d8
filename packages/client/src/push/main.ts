import { addAbortSignal } from "node:stream";
import { run } from "./run.js";

/** The process around the command: arguments, streams, signals and exit code. */
const stop = new AbortController();

function onSignal(): void {
  // A second signal exits immediately. The next run resends what is lost.
  if (stop.signal.aborted) process.exit(1);
  process.stderr.write("\nStopping after the current request. Press Ctrl-C again to stop immediately.\n");
  stop.abort(new Error("stopped"));
}
process.on("SIGINT", onSignal);
process.on("SIGTERM", onSignal);

// The reader of our output may exit first, as with | head. The push continues, because its results are in
// files.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
}

/** Ends on a signal, even if the writer neither continues nor closes the stream. */
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
