import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { run } from "../src/push/run.js";

export interface PushRun {
  code: number;
  out: string;
  error: string;
}

export interface PushSurroundings {
  environment?: NodeJS.ProcessEnv;
  input?: string | Buffer;
  isTerminal?: boolean;
  stop?: AbortSignal;
  /** Told what is written to standard error, as it is written. */
  onError?: (text: string) => void;
}

/** Runs gatehouse-push as its process would, inside the test. */
export async function runPush(args: string[], surroundings: PushSurroundings = {}): Promise<PushRun> {
  const written = { out: "", error: "" };
  const code = await run(args, {
    environment: surroundings.environment ?? {},
    standardInput: Readable.from([Buffer.from((surroundings.input ?? "") as string)]),
    out: (text) => {
      written.out += text;
    },
    errorStream: {
      isTTY: surroundings.isTerminal ?? false,
      write: (text: string) => {
        // How long the service takes for its answers is the machine's affair.
        if (!text.includes("waiting for the answer of the service")) written.error += text;
        surroundings.onError?.(text);
      },
    },
    stop: surroundings.stop ?? new AbortController().signal,
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
