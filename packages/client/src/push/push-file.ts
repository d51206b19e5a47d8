import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { checkTable, refuseHopeless } from "./check-file.js";
import {
  recognizeSource,
  withSecondGuess,
  withTable,
  type InputSource,
  type RecognizedSource,
} from "./input.js";
import { inOurWords } from "./messages.js";
import { lockFolder } from "./output/lock.js";
import { failedFile, resultsFile } from "./output/outcome-files.js";
import { receiptsFile } from "./output/receipt-file.js";
import type { Summary } from "./output/summary.js";
import { pushTable, type FilePush } from "./push-table.js";

/** Those that the name of a file tells. */
const usualDelimiters: ReadonlySet<string> = new Set([",", "\t"]);

/** A push before its input was looked at. */
export interface FileOrder extends Omit<FilePush, "source"> {
  source: InputSource;
  standardInput: AsyncIterable<Buffer>;
}

/** Takes one file from its first check to its summary. */
export async function pushFile(order: FileOrder): Promise<Summary> {
  const startedMs = performance.now();
  try {
    const recognized = await recognizeSource(order.source, order.standardInput);
    const { source, result: total } = await withSecondGuess(recognized, (guess) =>
      checkBeforehand(order, guess),
    );
    const push: FilePush = { ...order, source };
    if (source.said !== "") order.progressStream.write(`${source.name}: read as ${source.said}\n`);
    await makeFolder(push.folder);
    const unlock = await lockFolder(push.folder);
    try {
      const { tally, interruption } = await withTable(source, push.resource, (table) =>
        pushTable(push, table, total),
      );
      const { delimiter } = source.reading;
      const receipts = join(push.folder, receiptsFile);
      return {
        file: source.name,
        resource: push.resource,
        mode: push.sender.mode,
        ...(source.said === "" ? {} : { readAs: source.said }),
        ...(interruption === undefined ? {} : { interruption: interruption.reason }),
        ...(interruption?.tryAgain ? { tryAgain: true } : {}),
        tally,
        durationMs: Math.round(performance.now() - startedMs),
        results: join(push.folder, resultsFile),
        failed: join(push.folder, failedFile(delimiter)),
        ...(existsSync(receipts) ? { receipts } : {}),
        ...(usualDelimiters.has(delimiter) ? {} : { failedDelimiter: delimiter }),
      };
    } finally {
      await unlock();
    }
  } catch (error) {
    throw inOurWords(error, order.source.name);
  }
}

async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true }).catch((error: Error) => {
    throw new Error(
      `The outcomes cannot be written to ${folder}: ${error.message}. Choose another folder with --output`,
      {
        cause: error,
      },
    );
  });
}

/** A file is checked to its end before anything of it is sent; a stream can be read only once. */
async function checkBeforehand(order: FileOrder, source: RecognizedSource): Promise<number | undefined> {
  if (source.file === undefined) return undefined;
  const check = await withTable(source, order.resource, (table) => checkTable(order, table));
  if (!order.stop.aborted) refuseHopeless(check, order.resource, order.sender.mode);
  return check.records;
}
