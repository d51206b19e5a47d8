import { basename, dirname, extname, join } from "node:path";
import type { Location } from "@gatehouse-parking/contract";
import { CommanderError } from "commander";
import { connect, createClient, type ClientOptions } from "../client.js";
import { ForbiddenError, NotFoundError } from "../errors.js";
import { readCommandLine, urlVariable, type PushOptions, type ServiceOptions } from "./command-line.js";
import { isTemporary, messageOf } from "./failures.js";
import { filesOfFolder, type FolderFile } from "./folder.js";
import { describeInput, inputName } from "./input.js";
import { csvLine } from "./output/outcome-files.js";
import { fingerprintOfKey } from "./output/journal.js";
import { exitCodeOf, summaryText, type BrokenFile, type ExitCode, type Summary } from "./output/summary.js";
import { pushFile } from "./push-file.js";
import { readPreparation, type AskLocations } from "./preparation.js";
import { openService, type Service, type Surroundings } from "./service.js";
import { suggestForFile } from "./suggest.js";
import { offlineSender, serviceSender, type Sender } from "./senders.js";

/** Runs the command and returns its exit code. */
export async function run(args: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const { out, errorStream } = surroundings;
  try {
    const command = readCommandLine(args, { out, error: (text) => void errorStream.write(text) });
    if (!command) return 0;
    const { json } = command.options;
    if (command.target === "locations") {
      out(await listLocations(command.options, surroundings));
      return 0;
    }
    if (command.options.suggestMapping !== undefined && "file" in command.target) {
      const { text, isComplete } = await suggest(command.target, command.options, surroundings);
      out(text);
      return isComplete ? 0 : 2;
    }
    const ends = await pushAll(command.target, command.options, surroundings, (end) => {
      if ("error" in end) tellError(end.error, surroundings);
      else if (!json) out(summaryText(end));
    });
    if (json) out(`${JSON.stringify(ends)}\n`);
    return exitCodeOf(ends);
  } catch (error) {
    // The command line has said already what it did not understand.
    if (!(error instanceof CommanderError)) tellError(messageOf(error), surroundings);
    return isTemporary(error) ? 75 : 1;
  }
}

/** A user who stopped knows why it ends. */
function tellError(message: string, { errorStream, stop }: Surroundings): void {
  if (!stop.aborted) errorStream.write(`${message}\n`);
}

async function readLocations(options: ClientOptions): Promise<Location[]> {
  const locations: Location[] = [];
  for await (const location of createClient(options).allLocations()) locations.push(location);
  return locations;
}

/** What a partner needs to know to fill in locationUuid. */
function locationsText(locations: readonly Location[]): string {
  const columns = ["uuid", "name", "city", "timeZone", "tpReferenceId"] as const;
  const rows = locations.map((location) => columns.map((column) => location[column]));
  return [columns, ...rows].map((cells) => csvLine(cells, ",")).join("");
}

async function listLocations(options: ServiceOptions, surroundings: Surroundings): Promise<string> {
  const locations = await withService(options, surroundings, ({ client }) => readLocations(client));
  return options.json ? `${JSON.stringify(locations)}\n` : locationsText(locations);
}

async function withService<T>(
  options: ServiceOptions,
  surroundings: Surroundings,
  work: (service: Service) => Promise<T>,
): Promise<T> {
  const service = await openService(options, surroundings);
  try {
    return await work(service);
  } finally {
    service.transport.close();
  }
}

/** With a service to ask, locations are recognized by their names, too. */
async function suggest(
  { resource, file }: FolderFile,
  options: PushOptions,
  surroundings: Surroundings,
): Promise<{ text: string; isComplete: boolean }> {
  const { told } = await readPreparation(options, undefined, undefined);
  const askLocations = locationsOf(undefined, options, surroundings);
  return suggestForFile({
    source: describeInput(file, told),
    resource,
    standardInput: surroundings.standardInput,
    locations: await askLocations?.(),
    mappingFile: options.suggestMapping as string,
  });
}

async function pushAll(
  target: FolderFile | { folder: string },
  options: PushOptions,
  surroundings: Surroundings,
  onEnd: (end: Summary | BrokenFile) => void,
): Promise<(Summary | BrokenFile)[]> {
  const files: FolderFile[] =
    "folder" in target
      ? await filesOfFolder(target.folder, options.mapping)
      : [{ ...target, mapping: options.mapping }];
  const service = options.dryRun ? undefined : await openService(options, surroundings);
  const askLocations = locationsOf(service, options, surroundings);
  try {
    const ends: (Summary | BrokenFile)[] = [];
    for (const file of files) {
      const end = await pushOne(file, "folder" in target, {
        options,
        askLocations,
        service,
        surroundings,
      }).catch((error: unknown) => brokenFile(file, error));
      ends.push(end);
      onEnd(end);
      // What comes later refers to what came before, so it makes no sense to go on.
      if ("error" in end || end.interruption !== undefined) break;
    }
    return ends;
  } finally {
    service?.transport.close();
  }
}

function brokenFile({ resource, file }: FolderFile, error: unknown): BrokenFile {
  const tryAgain = isTemporary(error) ? { tryAgain: true as const } : {};
  return { file: inputName(file), resource, error: messageOf(error), ...tryAgain };
}

/** They are asked for once, whatever needs them; a dry run asks only if it knows whom. */
function locationsOf(
  service: Service | undefined,
  options: PushOptions,
  surroundings: Surroundings,
): AskLocations {
  if (!service && (options.url ?? surroundings.environment[urlVariable]) === undefined) return undefined;
  let locations: Promise<Location[]> | undefined;
  return () =>
    (locations ??= service
      ? readLocations(service.client)
      : withService(options, surroundings, ({ client }) => readLocations(client)));
}

interface PushParts {
  options: PushOptions;
  askLocations: AskLocations;
  service: Service | undefined;
  surroundings: Surroundings;
}

async function pushOne(
  { resource, file, mapping }: FolderFile,
  isInFolder: boolean,
  { options, askLocations, service, surroundings }: PushParts,
): Promise<Summary> {
  const { stop } = surroundings;
  const { prepare, told } = await readPreparation(options, mapping, askLocations);
  if (isInFolder && mapping !== undefined)
    surroundings.errorStream.write(`${inputName(file)}: mapped by ${mapping}\n`);
  const source = describeInput(file, told);
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
    ownsRun: (referenceUuid) => (service ? ownsRun(service, referenceUuid) : Promise.resolve(false)),
    restart: options.restart ?? false,
    standardInput: surroundings.standardInput,
    progressStream: surroundings.errorStream,
    stop,
    onProgress: (progress) => service?.showPausesIn(progress),
  });
}

/** Whether a run belongs to the organization of the key. */
async function ownsRun(service: Service, referenceUuid: string): Promise<boolean> {
  try {
    await createClient(service.client).getImport(referenceUuid);
    return true;
  } catch (error) {
    // A key that may not read imports cannot prove it.
    if (error instanceof NotFoundError || error instanceof ForbiddenError) return false;
    throw error;
  }
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
