import { readFile } from "node:fs/promises";
import type { ClientOptions } from "../client.js";
import type { Pause } from "../request.js";
import { keyVariable, urlVariable, type ServiceOptions } from "./command-line.js";
import { durationText } from "./output/progress.js";
import type { Progress, ProgressStream } from "./output/progress.js";
import { openTransport, proxyFor, readUrl, type Transport } from "./transport.js";

/** Everything outside the program, so that tests can run it without a process. */
export interface ProcessContext {
  environment: NodeJS.ProcessEnv;
  standardInput: AsyncIterable<Buffer>;
  out: (text: string) => void;
  errorStream: ProgressStream;
  /** Aborted when the user wants to stop. */
  stop: AbortSignal;
}

/** Short waits for the rate limit are not shown. */
const minShownPauseMs = 3_000;

/** The connection that the command line asks for. */
export interface Service {
  transport: Transport;
  client: ClientOptions;
  /** Shows the client's pauses in the progress display. */
  showPausesIn(progress: Progress): void;
}

export async function openService(
  options: ServiceOptions,
  { environment, errorStream }: Pick<ProcessContext, "environment" | "errorStream">,
): Promise<Service> {
  const url = options.url ?? environment[urlVariable];
  if (!url) throw new Error(`No service address: add --url https://..., or set ${urlVariable}`);
  const apiKey = await readApiKey(options.keyFile, environment);
  const address = readUrl(url);
  const proxy = proxyFor(new URL(address), environment);
  const transport = await openTransport({ caFile: options.ca, proxy });
  // Without a progress display, each pause gets a separate line.
  let show = (message: string): void => void errorStream.write(`${message}\n`);
  return {
    transport,
    client: {
      url: address,
      apiKey,
      fetch: transport.fetch,
      retry: { keepTryingMs: options.keepTryingMs ?? 0 },
      onPause: (pause) => {
        if (pause.error || pause.durationMs >= minShownPauseMs) show(pauseText(pause));
      },
    },
    showPausesIn(progress) {
      show = (message) => progress.wait(message);
    },
  };
}

function pauseText({ reason, durationMs, error }: Pause): string {
  const time = durationText(durationMs);
  return reason === "rate limit"
    ? `waiting ${time} for the rate limit`
    : `retrying in ${time}: ${error?.message ?? ""}`;
}

/**
 * The key comes from a file or the environment, never from an argument: all users of the machine can list
 * arguments.
 */
export async function readApiKey(
  keyFile: string | undefined,
  environment: NodeJS.ProcessEnv,
): Promise<string> {
  const key = keyFile === undefined ? environment[keyVariable] : await readKeyFile(keyFile);
  const trimmed = key?.trim() ?? "";
  if (trimmed === "")
    throw new Error(
      keyFile === undefined
        ? `No API key: store it in a file and add --key-file FILE, or set ${keyVariable}`
        : `The key file ${keyFile} is empty`,
    );
  if (!/^[\x21-\x7e]+$/.test(trimmed))
    throw new Error("The API key contains invalid characters; check the key file");
  return trimmed;
}

async function readKeyFile(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new Error(`Cannot read the key file: ${(error as Error).message}`, { cause: error });
  }
}
