import { basename, dirname, extname, join } from "node:path";
import type { Location } from "@gatehouse-parking/contract";
import type { InputFormat } from "@gatehouse-parking/record-files";
import { CommanderError } from "commander";
import { connect, createClient, type ClientOptions } from "../client.js";
import { ForbiddenError, NotFoundError } from "../errors.js";
import {
  readCommandLine,
  urlVariable,
  type PushCommand,
  type PushOptions,
  type ServiceOptions,
} from "./command-line.js";
import { runInBackground } from "./background/background.js";
import { commandText, type TypedOption } from "./command-text.js";
import { isTemporary, errorText } from "./messages.js";
import { filesOfFolder, type FolderFile } from "./folder.js";
import { describeInput, inputName } from "./input.js";
import { csvLine } from "./output/outcome-files.js";
import { fingerprintOfKey } from "./output/journal.js";
import {
  aboutMapping,
  exitCodeOf,
  summaryText,
  type FailedFile,
  type ExitCode,
  type Summary,
} from "./output/summary.js";
import { pushFile } from "./push-file.js";
import { readFileOptions, type LoadLocations } from "./file-options.js";
import { openService, type Service, type ProcessContext } from "./service.js";
import { suggestForFile, suggestionText, type SuggestionReport } from "./suggest.js";
import { offlineSender, serviceSender, type Sender } from "./senders.js";

/** Runs the command and returns its exit code. */
export async function run(args: readonly string[], context: ProcessContext): Promise<ExitCode> {
  const { out, errorStream } = context;
  try {
    const command = readCommandLine(args, { out, error: (text) => void errorStream.write(text) });
    if (!command) return 0;
    const { json } = command.options;
    if (command.target === "locations") {
      out(await listLocations(command.options, context));
      return 0;
    }
    if (command.options.suggestMapping !== undefined && "file" in command.target) {
      const report = await suggest(command.target, command, context);
      out(json ? `${JSON.stringify(report)}\n` : suggestionText(report));
      return report.openQuestions.some(({ kind }) => kind === "question") ? 2 : 0;
    }
    if (command.options.background) return await runInBackground(command, context);
    const ends = await pushAll(command, context, (end) => {
      if ("error" in end) reportError(end.error, context);
      else if (!json) out(summaryText(end));
    });
    if (json) out(`${JSON.stringify(ends)}\n`);
    return exitCodeOf(ends);
  } catch (error) {
    // Commander has already printed the error.
    if (!(error instanceof CommanderError)) reportError(errorText(error), context);
    return isTemporary(error) ? 75 : 1;
  }
}

/** A user who stopped the push needs no message. */
function reportError(message: string, { errorStream, stop }: ProcessContext): void {
  if (!stop.aborted) errorStream.write(`${message}\n`);
}

async function readLocations(options: ClientOptions): Promise<Location[]> {
  const locations: Location[] = [];
  for await (const location of createClient(options).allLocations()) locations.push(location);
  return locations;
}

/** Partners need the UUIDs for locationUuid. */
function locationsText(locations: readonly Location[]): string {
  const columns = ["uuid", "name", "city", "timeZone", "tpReferenceId"] as const;
  const rows = locations.map((location) => columns.map((column) => location[column]));
  return [columns, ...rows].map((cells) => csvLine(cells, ",")).join("");
}

async function listLocations(options: ServiceOptions, context: ProcessContext): Promise<string> {
  const locations = await withService(options, context, ({ client }) => readLocations(client));
  return options.json ? `${JSON.stringify(locations)}\n` : locationsText(locations);
}

async function withService<T>(
  options: ServiceOptions,
  context: ProcessContext,
  work: (service: Service) => Promise<T>,
): Promise<T> {
  const service = await openService(options, context);
  try {
    return await work(service);
  } finally {
    service.transport.close();
  }
}

/** If a service is configured, locations are also recognized by name. */
async function suggest(
  { resource, file }: FolderFile,
  { options, typed }: FileCommand,
  context: ProcessContext,
): Promise<SuggestionReport> {
  const { told } = await readFileOptions(options, undefined, undefined);
  const loadLocations = locationLoader(undefined, options, context);
  return suggestForFile({
    source: describeInput(file, told),
    resource,
    standardInput: context.standardInput,
    locations: await loadLocations?.(),
    mappingFile: options.suggestMapping as string,
    options,
    nextCommand: commandText([resource, file], typed, {
      "--suggest-mapping": undefined,
      "--answers": undefined,
      "--confirm-assumptions": undefined,
      "--json": undefined,
      "--mapping": options.suggestMapping as string,
      "--dry-run": true,
    }),
  });
}

/** The command that pushes one or several files. */
type FileCommand = Exclude<PushCommand, { target: "locations" }>;

async function pushAll(
  { target, options, typed }: FileCommand,
  context: ProcessContext,
  onEnd: (end: Summary | FailedFile) => void,
): Promise<(Summary | FailedFile)[]> {
  const files: FolderFile[] =
    "folder" in target
      ? await filesOfFolder(target.folder, options.mapping)
      : [{ ...target, mapping: options.mapping }];
  if (options.preview && !options.dryRun) throw new Error("--preview works only with --dry-run; add it");
  const service = options.dryRun ? undefined : await openService(options, context);
  const loadLocations = locationLoader(service, options, context);
  try {
    const ends: (Summary | FailedFile)[] = [];
    for (const file of files) {
      const end = await pushOne(file, "folder" in target, {
        options,
        typed,
        loadLocations,
        service,
        context,
      }).catch((error: unknown) => describeFailedFile(file, error));
      ends.push(end);
      onEnd(end);
      // Later files refer to earlier ones, so stop here.
      if ("error" in end || end.interruption !== undefined) break;
    }
    return ends;
  } finally {
    service?.transport.close();
  }
}

function describeFailedFile({ resource, file }: FolderFile, error: unknown): FailedFile {
  const tryAgain = isTemporary(error) ? { tryAgain: true as const } : {};
  return { file: inputName(file), resource, error: errorText(error), ...tryAgain };
}

/** Loads the locations at most once. A dry run loads them only if a service is configured. */
function locationLoader(
  service: Service | undefined,
  options: PushOptions,
  context: ProcessContext,
): LoadLocations {
  if (!service && (options.url ?? context.environment[urlVariable]) === undefined) return undefined;
  let locations: Promise<Location[]> | undefined;
  return () =>
    (locations ??= service
      ? readLocations(service.client)
      : withService(options, context, ({ client }) => readLocations(client)));
}

interface PushParts {
  options: PushOptions;
  typed: readonly TypedOption[];
  loadLocations: LoadLocations;
  service: Service | undefined;
  context: ProcessContext;
}

async function pushOne(
  { resource, file, mapping }: FolderFile,
  isInFolder: boolean,
  { options, typed, loadLocations, service, context }: PushParts,
): Promise<Summary> {
  const { stop } = context;
  const { prepare, told, unchecked } = await readFileOptions(options, mapping, loadLocations);
  if (isInFolder && mapping !== undefined)
    context.errorStream.write(`${inputName(file)}: mapped by ${mapping}\n`);
  const source = describeInput(file, told);
  const metadata = JSON.stringify({ tool: "gatehouse-push", file: source.name });
  const mode = options.validateOnly ? "validate-only" : "import";
  const sender: Sender = service
    ? serviceSender(mode, connect(service.client), resource, { metadata, stop })
    : offlineSender(resource);
  const summary = await pushFile({
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
    isOwnImport: (referenceUuid) => (service ? isOwnImport(service, referenceUuid) : Promise.resolve(false)),
    restart: options.restart ?? false,
    preview: options.preview ?? false,
    standardInput: context.standardInput,
    progressStream: context.errorStream,
    stop,
    onProgress: (progress) => service?.showPausesIn(progress),
  });
  return {
    ...summary,
    ...(unchecked.length === 0 ? {} : { unchecked }),
    ...aboutMapping(resource, prepare.mapping),
    ...(summary.tally.failed === 0
      ? {}
      : { failedCommand: commandForFailed(summary, typed, mapping, source.told.format) }),
  };
}

/** The file of failed rows describes itself, except for its delimiter. */
function commandForFailed(
  { resource, failed, failedDelimiter }: Summary,
  typed: readonly TypedOption[],
  mapping: string | undefined,
  format: InputFormat | undefined,
): string {
  return commandText([resource, failed], typed, {
    "--mapping": mapping,
    "--output": undefined,
    "--restart": undefined,
    "--preview": undefined,
    "--format": format === "xlsx" ? "csv" : undefined,
    "--encoding": undefined,
    "--quote": undefined,
    "--header-line": undefined,
    "--sheet": undefined,
    "--delimiter": failedDelimiter,
  });
}

/** Whether an import belongs to the organization of the key. */
async function isOwnImport(service: Service, referenceUuid: string): Promise<boolean> {
  try {
    await createClient(service.client).getImport(referenceUuid);
    return true;
  } catch (error) {
    // A key without the permission to read imports cannot prove it.
    if (error instanceof NotFoundError || error instanceof ForbiddenError) return false;
    throw error;
  }
}

/**
 * A folder next to the file and named after it, so that several pushes, and the push of a failed.csv, do not
 * collide.
 */
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
