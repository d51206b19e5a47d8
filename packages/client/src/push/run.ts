import { basename, dirname, extname, join } from "node:path";
import { CommanderError } from "commander";
import { connect, type ClientOptions } from "../client.js";
import { CertificateError, GatehouseError } from "../errors.js";
import type { Pause } from "../request.js";
import { readApiKey } from "./api-key.js";
import { readCommandLine, urlVariable, type PushCommand, type PushOptions } from "./command-line.js";
import { filesOfFolder, type FolderFile } from "./folder.js";
import { openTransport, readUrl, type Transport } from "./https-fetch.js";
import { describeInput } from "./input/open.js";
import { durationText } from "./output/estimate.js";
import { fingerprintOfKey } from "./output/journal.js";
import type { Progress, ProgressStream } from "./output/progress.js";
import { exitCodeOf, summaryText, type Summary } from "./output/summary.js";
import { pushFile } from "./push-file.js";
import { isTimeZone } from "./record/local-time.js";
import { emptyMapping, readMapping } from "./record/mapping.js";
import type { PrepareOptions } from "./record/prepare.js";
import { offlineSender, readLocationZones, serviceSender, type Sender } from "./senders.js";

/** The world outside the program, so that tests can run it without a process. */
export interface Surroundings {
  environment: NodeJS.ProcessEnv;
  standardInput: AsyncIterable<Buffer>;
  out: (text: string) => void;
  errorStream: ProgressStream;
  /** Aborted when the user wants to stop. */
  stop: AbortSignal;
}

/** Runs the command and returns its exit code. */
export async function run(args: readonly string[], surroundings: Surroundings): Promise<0 | 1 | 2> {
  const { out, errorStream } = surroundings;
  try {
    const command = readCommandLine(args, { out, error: (text) => void errorStream.write(text) });
    if (!command) return 0;
    const { json } = command.options;
    const summaries = await pushAll(command, surroundings, (summary) => {
      if (!json) out(summaryText(summary));
    });
    if (json) out(`${JSON.stringify(summaries)}\n`);
    return exitCodeOf(summaries);
  } catch (error) {
    // The command line has said already what it did not understand.
    if (!(error instanceof CommanderError)) errorStream.write(`${messageOf(error)}\n`);
    return 1;
  }
}

async function pushAll(
  { target, options }: PushCommand,
  surroundings: Surroundings,
  onSummary: (summary: Summary) => void,
): Promise<Summary[]> {
  const files: FolderFile[] = "folder" in target ? await filesOfFolder(target.folder) : [target];
  const service = options.dryRun ? undefined : await openService(options, surroundings.environment);
  try {
    const prepare = await prepareOptions(options, service?.client);
    const summaries: Summary[] = [];
    for (const file of files) {
      const summary = await pushOne(file, "folder" in target, { options, prepare, service, surroundings });
      summaries.push(summary);
      onSummary(summary);
      // What comes later refers to what came before, so it makes no sense to go on.
      if (summary.interruption !== undefined) break;
    }
    return summaries;
  } finally {
    service?.transport.close();
  }
}

interface Service {
  transport: Transport;
  client: ClientOptions;
  /** Shows pauses of the client where the progress is shown. */
  showPausesIn(progress: Progress): void;
}

async function openService(options: PushOptions, environment: NodeJS.ProcessEnv): Promise<Service> {
  const url = options.url ?? environment[urlVariable];
  if (!url)
    throw new Error(`The address of the service is needed: add --url https://..., or set ${urlVariable}`);
  const apiKey = await readApiKey(options.keyFile, environment);
  const transport = await openTransport({ caFile: options.ca });
  let progress: Progress | undefined;
  return {
    transport,
    client: {
      url: readUrl(url),
      apiKey,
      fetch: transport.fetch,
      onPause: (pause) => progress?.note(pauseText(pause)),
    },
    showPausesIn(shown) {
      progress = shown;
    },
  };
}

async function prepareOptions(
  options: PushOptions,
  client: ClientOptions | undefined,
): Promise<PrepareOptions> {
  return {
    mapping: options.mapping === undefined ? emptyMapping : await readMapping(options.mapping),
    ignoreUnknownColumns: options.ignoreUnknownColumns ?? false,
    timeZone: await readTimeZone(options.timeZone, client),
  };
}

async function readTimeZone(
  timeZone: string | undefined,
  client: ClientOptions | undefined,
): Promise<PrepareOptions["timeZone"]> {
  if (timeZone === "location") {
    if (!client) throw new Error("--time-zone location needs the service; with --dry-run, name a zone");
    return readLocationZones(client);
  }
  if (timeZone !== undefined && !isTimeZone(timeZone))
    throw new Error(`--time-zone must be a zone such as America/Chicago, or location, not "${timeZone}"`);
  return timeZone;
}

interface PushParts {
  options: PushOptions;
  prepare: PrepareOptions;
  service: Service | undefined;
  surroundings: Surroundings;
}

async function pushOne(
  { resource, file }: FolderFile,
  isInFolder: boolean,
  { options, prepare, service, surroundings }: PushParts,
): Promise<Summary> {
  const { stop } = surroundings;
  const source = describeInput(file, {
    format: isInFolder ? undefined : options.format,
    delimiter: options.delimiter === "tab" ? "\t" : options.delimiter,
  });
  const metadata = JSON.stringify({ tool: "gatehouse-push", file: source.name });
  const mode = options.validateOnly ? "validate-only" : "import";
  const sender: Sender = service
    ? serviceSender(mode, connect(service.client), resource, { metadata, stop })
    : offlineSender(resource);
  return pushFile({
    source,
    resource,
    folder: outputFolder(file, sender.mode, options.output, isInFolder),
    sender,
    metadata,
    prepare,
    journalOwner:
      service && sender.mode === "import"
        ? { resource, url: service.client.url, key: fingerprintOfKey(service.client.apiKey) }
        : undefined,
    restart: options.restart ?? false,
    standardInput: surroundings.standardInput,
    progressStream: surroundings.errorStream,
    stop,
    onProgress: (progress) => service?.showPausesIn(progress),
  });
}

/** Beside the file and named after it, so that several pushes, and the push of a failed.csv, do not meet. */
function outputFolder(
  file: string,
  mode: Sender["mode"],
  output: string | undefined,
  isInFolder: boolean,
): string {
  if (output !== undefined && !isInFolder) return output;
  const name = file === "-" ? "stdin" : basename(file, extname(file));
  const folder = output ?? (file === "-" ? "." : dirname(file));
  return join(folder, `${name}.${mode === "import" ? "push" : mode}`);
}

function pauseText({ reason, durationMs, error }: Pause): string {
  const time = durationText(durationMs);
  return reason === "rate limit"
    ? `waiting ${time} for the rate limit`
    : `trying again in ${time}: ${error?.message ?? ""}`;
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const details = error instanceof GatehouseError ? [...error.details] : [];
  if (error instanceof CertificateError)
    details.push(
      "If it is a certificate of your own, add --ca FILE with its authority, or set NODE_EXTRA_CA_CERTS",
    );
  return [error.message, ...details.filter((detail) => !error.message.includes(detail))].join("\n  ");
}
