import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { countRows, withInputName, withTable } from "./input.js";
import { lockFolder } from "./output/lock.js";
import { failedFile, resultsFile } from "./output/outcome-files.js";
import type { Summary } from "./output/summary.js";
import { pushTable, type FilePush } from "./push-table.js";
import { prepareRows } from "@gatehouse-parking/record-files";

/** Those that the name of a file tells. */
const usualDelimiters: ReadonlySet<string> = new Set([",", "\t"]);

/** Takes one file from its first check to its summary. */
export async function pushFile(push: FilePush): Promise<Summary> {
  const startedMs = performance.now();
  try {
    const total = await countBeforehand(push);
    await makeFolder(push.folder);
    const unlock = await lockFolder(push.folder);
    try {
      const { tally, interruption } = await withTable(
        push.source,
        push.resource,
        push.standardInput,
        (table) => pushTable(push, table, total),
      );
      return {
        file: push.source.name,
        resource: push.resource,
        mode: push.sender.mode,
        ...(interruption === undefined ? {} : { interruption }),
        tally,
        durationMs: Math.round(performance.now() - startedMs),
        results: join(push.folder, resultsFile),
        failed: join(push.folder, failedFile(push.source.delimiter)),
        ...(usualDelimiters.has(push.source.delimiter) ? {} : { failedDelimiter: push.source.delimiter }),
      };
    } finally {
      await unlock();
    }
  } catch (error) {
    throw withInputName(error, push.source);
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

/** A file is read once for its number of rows, and so that nothing of a broken one is sent. */
async function countBeforehand(push: FilePush): Promise<number | undefined> {
  if (push.source.file === undefined) return undefined;
  return withTable(push.source, push.resource, push.standardInput, async (table) => {
    prepareRows(table.columns, push.resource, push.prepare);
    return countRows(table, push.stop);
  });
}
