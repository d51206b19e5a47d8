import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import {
  checkFile,
  messageOf,
  profileTable,
  requireAnswers,
  setAsideCount,
  type Table,
} from "@gatehouse-parking/record-files";
import { rejectIfNothingIsValid } from "./offline-check.js";
import {
  recognizeSource,
  withFallbackEncoding,
  withTable,
  type InputSource,
  type RecognizedSource,
} from "./input.js";
import { commandLineReading, commandLineRows, describeInputError } from "./messages.js";
import { lockFolder } from "./output/lock.js";
import { resultsFile, rowFiles } from "./output/outcome-files.js";
import { receiptsFile } from "./output/receipt-file.js";
import type { Summary } from "./output/summary.js";
import { previewOf, type Preview } from "./preview.js";
import { pushTable, type FilePush, type FirstReading } from "./push-table.js";

/** Delimiters that follow from the file extension. */
const usualDelimiters: ReadonlySet<string> = new Set([",", "\t"]);

/** A push whose input has not been opened yet. */
export interface PushRequest extends Omit<FilePush, "source"> {
  source: InputSource;
  /** Whether to show how rows are converted. */
  preview: boolean;
  standardInput: AsyncIterable<Buffer>;
}

/** Checks, pushes and summarizes one file. */
export async function pushFile(request: PushRequest): Promise<Summary> {
  const startedMs = performance.now();
  try {
    if (request.sender.mode === "import") requireAnswers(request.prepare.mapping);
    const recognized = await recognizeSource(request.source, request.standardInput);
    const { source, result: first } = await withFallbackEncoding(recognized, (guess) =>
      readWholeFile(request, guess),
    );
    const preview = request.preview ? await readPreview(request, source) : undefined;
    const push: FilePush = { ...request, source };
    if (source.said !== "") request.progressStream.write(`${source.name}: read as ${source.said}\n`);
    await makeFolder(push.folder);
    const unlock = await lockFolder(push.folder);
    try {
      const {
        tally,
        interruption,
        findings = [],
        facts,
      } = await withTable(source, push.resource, async (table) => ({
        ...(await pushTable(push, table, first)),
        facts: table.facts?.() ?? [],
      }));
      const notes = facts.map((fact) => messageOf(commandLineReading, fact));
      const setAside = setAsideCount(facts);
      const { delimiter } = source.reading;
      const names = rowFiles(delimiter);
      const receipts = join(push.folder, receiptsFile);
      return {
        file: source.name,
        resource: push.resource,
        mode: push.sender.mode,
        ...(source.said === "" ? {} : { readAs: source.said }),
        ...(notes.length === 0 ? {} : { notes }),
        ...(interruption === undefined ? {} : { interruption: interruption.reason }),
        ...(interruption?.tryAgain ? { tryAgain: true } : {}),
        ...(preview ? { preview } : {}),
        tally,
        ...(setAside === 0 ? {} : { setAside }),
        ...(findings.length === 0 ? {} : { findings }),
        durationMs: Math.round(performance.now() - startedMs),
        results: join(push.folder, resultsFile),
        failed: join(push.folder, names.failed),
        ...(tally.conflicts > 0 ? { conflicts: join(push.folder, names.conflicts) } : {}),
        ...(existsSync(receipts) ? { receipts } : {}),
        ...(usualDelimiters.has(delimiter) ? {} : { failedDelimiter: delimiter }),
      };
    } finally {
      await unlock();
    }
  } catch (error) {
    throw describeInputError(error, request.source.name);
  }
}

/** The whole file is read once more for it. */
async function readPreview(request: PushRequest, source: RecognizedSource): Promise<Preview> {
  if (source.file === undefined) throw new Error("--preview needs a file, because it reads the input twice");
  return withTable(source, request.resource, async (table) =>
    previewOf(await profileTable(table), table.columns, request.resource, request.prepare),
  );
}

async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true }).catch((error: Error) => {
    throw new Error(
      `Cannot write the outcomes to ${folder}: ${error.message}. Choose another folder with --output`,
      {
        cause: error,
      },
    );
  });
}

/**
 * Checks a file completely before sending any of it. A dry run checks the rows later, so they are only counted. A stream
 * can be read only once.
 */
async function readWholeFile(
  request: PushRequest,
  source: RecognizedSource,
): Promise<FirstReading | undefined> {
  const { resource, prepare, sender, stop } = request;
  if (source.file === undefined) return undefined;
  if (sender.mode === "dry-run") return withTable(source, resource, (table) => countRows(table, stop));
  const options = { ...prepare, messages: commandLineRows, signal: stop };
  try {
    const check = await withTable(source, resource, (table) => checkFile(table, resource, options));
    rejectIfNothingIsValid(check, resource);
    return check;
  } catch (error) {
    if (stop.aborted) return undefined;
    throw error;
  }
}

async function countRows({ rows: all }: Table, stop: AbortSignal): Promise<FirstReading> {
  let rows = 0;
  for await (const _row of all) {
    if (stop.aborted) break;
    rows += 1;
  }
  return { rows };
}
