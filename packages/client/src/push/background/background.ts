import { mkdir } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import type { Upload, UploadDetail, UploadFinding } from "@gatehouse-parking/contract";
import { toMapping, type Finding } from "@gatehouse-parking/record-files";
import { createClient } from "../../client.js";
import { isRunning, type UploadMethods } from "../../uploads.js";
import type { PushCommand, PushOptions } from "../command-line.js";
import { filesOfFolder, type FolderFile } from "../folder.js";
import { errorText, isTemporary } from "../messages.js";
import { lockFolder } from "../output/lock.js";
import { showProgress, type Progress } from "../output/progress.js";
import {
  aboutMapping,
  exitCodeOf,
  summaryText,
  type ExitCode,
  type FailedFile,
  type Summary,
} from "../output/summary.js";
import { openService, type ProcessContext, type Service } from "../service.js";
import { mappingContent } from "./mapping-content.js";
import { tallyOf, writeResults } from "./results.js";
import { openUploadSource, referenceOf, type OpenFile } from "./upload-source.js";

/** An upload that the service continues without the command (--no-wait). */
interface Started {
  file: string;
  resource: string;
  upload: string;
}

interface Parts {
  options: PushOptions;
  isInFolder: boolean;
  service: Service;
  uploads: UploadMethods;
  context: ProcessContext;
}

/** `--background`: the service reads and imports the files, and the command follows it. */
export async function runInBackground(
  { target, options }: Exclude<PushCommand, { target: "locations" }>,
  context: ProcessContext,
): Promise<ExitCode> {
  const isInFolder = "folder" in target;
  const files: FolderFile[] = isInFolder
    ? await filesOfFolder(target.folder, options.mapping)
    : [{ ...target, mapping: options.mapping }];
  const service = await openService(options, context);
  const { uploads } = createClient(service.client);
  const ends: (Summary | FailedFile | Started)[] = [];
  try {
    for (const file of files) {
      const parts = { options, isInFolder, service, uploads, context };
      const end = await pushInBackground(file, parts).catch((error: unknown) => failedFile(file, error));
      ends.push(end);
      if ("error" in end) context.errorStream.write(context.stop.aborted ? "" : `${end.error}\n`);
      else if (!options.json) context.out("upload" in end ? startedText(end) : summaryText(end));
      // Later files refer to earlier ones, so stop here.
      if ("error" in end || ("interruption" in end && end.interruption !== undefined)) break;
    }
  } finally {
    service.transport.close();
  }
  if (options.json) context.out(`${JSON.stringify(ends)}\n`);
  return exitCodeOf(ends.filter((end) => !("upload" in end)) as (Summary | FailedFile)[]);
}

function failedFile({ resource, file }: FolderFile, error: unknown): FailedFile {
  const tryAgain = isTemporary(error) ? { tryAgain: true as const } : {};
  return { file: basename(file), resource, error: errorText(error), ...tryAgain };
}

function startedText({ file, upload }: Started): string {
  return `${file}: the service is working on upload ${upload}\n  Run the same command without --no-wait to see how far it is.\n`;
}

async function pushInBackground(file: FolderFile, parts: Parts): Promise<Summary | Started> {
  const { options, uploads, context, service, isInFolder } = parts;
  const startedMs = performance.now();
  const name = basename(file.file);
  const mapping = await mappingContent(options, file.mapping);
  const folder = folderOf(file.file, options, isInFolder);
  const source = await openUploadSource(file.file).catch((error: Error) => {
    throw new Error(`Cannot read ${file.file}: ${error.message}`, { cause: error });
  });
  try {
    if (source.size === 0) throw new Error(`${name} is empty`);
    const progress = showProgress(context.errorStream, name, undefined);
    service.showPausesIn(progress);
    const started = await startFile(file, parts, { name, source, mapping, progress });
    if (options.wait === false) return { file: name, resource: file.resource, upload: started.uuid };
    await mkdir(folder, { recursive: true });
    const unlock = await lockFolder(folder);
    try {
      const { ended, interruption } = await follow(uploads, started, { progress, stop: context.stop });
      const found = await writeResults(uploads, ended, {
        folder,
        // The outcomes so far are written after Ctrl-C too.
        signal: new AbortController().signal,
      });
      return {
        file: name,
        resource: file.resource,
        mode: options.validateOnly ? "validate-only" : "import",
        ...(ended.reading === null ? {} : { notes: [`as ${ended.reading}`] }),
        ...(interruption === undefined ? {} : { interruption }),
        ...found,
        ...(ended.setAside === 0 ? {} : { setAside: ended.setAside }),
        ...(ended.findings.length === 0 ? {} : { findings: ended.findings.map(asFinding) }),
        ...aboutMapping(file.resource, toMapping(mapping)),
        durationMs: Math.round(performance.now() - startedMs),
      };
    } finally {
      await unlock();
    }
  } finally {
    await source.close();
  }
}

/** Without what the service adds in words. */
function asFinding({ code, data, rows, examples }: UploadFinding): Finding {
  return { code, data, rows, examples } as Finding;
}

interface FileToSend {
  name: string;
  source: OpenFile;
  mapping: Record<string, unknown>;
  progress: Progress;
}

/** Sends what is missing of the file and starts it. What an earlier command began is continued. */
async function startFile(
  { resource }: FolderFile,
  { options, uploads, context }: Parts,
  { name, source, mapping, progress }: FileToSend,
): Promise<Upload> {
  const { stop: signal } = context;
  const ignoreUnknownColumns = options.ignoreUnknownColumns ?? false;
  const reference = await referenceOf(source, { name, resource, mapping, ignoreUnknownColumns });
  const announce = () =>
    uploads.create({ fileName: name, size: source.size, resource, reference }, { signal });
  let upload = await announce();
  if (options.restart || upload.state === "cancelled" || upload.pass === "undo") {
    if (isRunning(upload)) await uploads.cancel(upload.uuid, { signal });
    await uploads.remove(upload.uuid, { signal });
    upload = await announce();
  }
  if (upload.state === "finished" && upload.pass === "import") {
    progress.note("was imported by an earlier command; add --restart to send it again");
    return upload;
  }
  if (upload.receivedBytes > 0 && upload.receivedBytes < upload.size)
    progress.note(`continuing after ${percent(upload.receivedBytes, upload.size)}`);
  let shown = 0;
  const { sha256 } = await uploads.send(upload.uuid, source, {
    signal,
    onProgress: ({ receivedBytes, size }) => {
      if (receivedBytes - shown < size / 10) return;
      shown = receivedBytes;
      progress.note(`${percent(receivedBytes, size)} sent`);
    },
  });
  const validateOnly = options.validateOnly ?? false;
  return uploads.start(upload.uuid, { validateOnly, mapping, ignoreUnknownColumns, sha256 }, { signal });
}

const percent = (part: number, whole: number): string => `${Math.floor((part / whole) * 100)}%`;

const endings: Partial<Record<Upload["state"], string>> = {
  cancelled: "the upload was cancelled",
  paused: "the upload was paused in the console; resume it there",
  stopped: "the service stopped the upload",
};

/** Shows the progress until the service is done, or until the user wants to stop. */
async function follow(
  uploads: UploadMethods,
  { uuid }: Upload,
  { progress, stop }: { progress: Progress; stop: AbortSignal },
): Promise<{ ended: UploadDetail; interruption?: string }> {
  const beganMs = performance.now();
  const onProgress = (upload: UploadDetail): void => {
    const passedMs = performance.now() - beganMs;
    progress.show({
      tally: tallyOf(upload),
      total: upload.totalRows ?? undefined,
      recordsPerSecond: (upload.rows * 1000) / Math.max(1, passedMs),
      timeLeftMs: upload.progress > 0 ? (passedMs / upload.progress) * (1 - upload.progress) : undefined,
    });
  };
  try {
    const ended = await uploads.wait(uuid, { signal: stop, onProgress });
    const why = ended.problem ?? endings[ended.state];
    return { ended, ...(ended.state === "finished" || why === undefined ? {} : { interruption: why }) };
  } catch (error) {
    if (!stop.aborted) throw error;
    return {
      ended: await uploads.get(uuid),
      interruption: `stopped following it; the service continues with upload ${uuid}`,
    };
  } finally {
    progress.end();
  }
}

function folderOf(file: string, { output }: PushOptions, isInFolder: boolean): string {
  if (output !== undefined && !isInFolder) return output;
  return join(output ?? dirname(file), `${basename(file, extname(file))}.background`);
}
