import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { run } from "../src/push/run.js";

export interface PushRun {
  code: number;
  out: string;
  error: string;
}

export interface PushContext {
  environment?: NodeJS.ProcessEnv;
  input?: string | Buffer;
  isTerminal?: boolean;
  stop?: AbortSignal;
  /** Receives standard error as it is written. */
  onError?: (text: string) => void;
}

/** Runs gatehouse-push inside the test process. */
export async function runPush(args: string[], context: PushContext = {}): Promise<PushRun> {
  const written = { out: "", error: "" };
  const code = await run(args, {
    environment: context.environment ?? {},
    standardInput: Readable.from([Buffer.from((context.input ?? "") as string)]),
    out: (text) => {
      written.out += text;
    },
    errorStream: {
      isTTY: context.isTerminal ?? false,
      write: (text: string) => {
        // The duration of responses depends on the machine.
        if (!text.includes("waiting for the response of the service")) written.error += text;
        context.onError?.(text);
      },
    },
    stop: context.stop ?? new AbortController().signal,
  });
  return { code, ...written };
}

// Tests look into results freely; a wrong guess fails the test, not the compiler.
// oxlint-disable-next-line typescript/no-explicit-any
export async function readResults(folder: string): Promise<any[]> {
  const text = await readFile(join(folder, "results.ndjson"), "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}
