import { once } from "node:events";
import { createWriteStream, type WriteStream } from "node:fs";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import type { UploadDetail } from "@gatehouse-parking/contract";
import { outcomeOf } from "../../outcomes.js";
import type { UploadMethods } from "../../uploads.js";
import { isConflict, resultsFile, rowFiles } from "../output/outcome-files.js";
import { emptyTally, type Tally } from "../output/tally.js";

/** The status of a row that the mapping leaves out. */
const leftOutStatus = 0;

/** What the service counts while it reads the file. */
export function tallyOf(upload: UploadDetail): Tally {
  return {
    ...emptyTally(),
    records: upload.rows,
    requests: upload.runCount,
    created: upload.created,
    skipped: upload.skipped,
    failed: upload.failed,
    leftOut: upload.leftOut,
    problems: upload.problems.map(({ field, message, count, line, example }) => ({
      field,
      message,
      records: count,
      examples: [{ line, ...(example === null ? {} : { value: example }) }],
    })),
  };
}

/** Writes the same files as a push: every outcome, and the failed rows in the columns of the file. */
export async function writeResults(
  uploads: UploadMethods,
  upload: UploadDetail,
  { folder, signal }: { folder: string; signal: AbortSignal },
): Promise<{ tally: Tally; results: string; failed: string }> {
  const tally = tallyOf(upload);
  const results = join(folder, resultsFile);
  const failed = join(folder, rowFiles(",").failed);
  await writeAll(results, async (write) => {
    for await (const row of uploads.outcomes(upload.uuid, {}, { signal })) {
      const { line, reference, status, errorDetail } = row;
      if (status === leftOutStatus) {
        await write(`${JSON.stringify({ line, outcome: "LeftOut", reference, errorDetail })}\n`);
        continue;
      }
      const outcome = outcomeOf({ ...row, status });
      if (outcome.outcome === "Failed")
        tally.reasons[outcome.reasonCode] = (tally.reasons[outcome.reasonCode] ?? 0) + 1;
      if (isConflict(outcome)) {
        tally.conflicts += 1;
        tally.skipped -= 1;
      }
      await write(`${JSON.stringify({ line, ...outcome })}\n`);
    }
  });
  await writeAll(failed, async (write) => {
    for await (const text of uploads.failuresCsv(upload.uuid, { signal })) await write(text);
  });
  return { tally, results, failed };
}

async function writeAll(
  path: string,
  work: (write: (text: string) => Promise<void>) => Promise<void>,
): Promise<void> {
  const stream: WriteStream = createWriteStream(path);
  const end = finished(stream);
  try {
    await work(async (text) => {
      if (!stream.write(text)) await Promise.race([once(stream, "drain"), end]);
    });
    stream.end();
    await end;
  } catch (error) {
    stream.destroy();
    await end.catch(() => undefined);
    throw error;
  }
}
