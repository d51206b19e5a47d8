import { once } from "node:events";
import { createWriteStream, type WriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import type { UploadDetail } from "@gatehouse-parking/contract";
import type { Finding } from "@gatehouse-parking/record-files";
import { outcomeOf } from "../../outcomes.js";
import type { UploadMethods } from "../../uploads.js";
import { resultsFile, rowFiles } from "../output/outcome-files.js";
import type { Summary } from "../output/summary.js";
import { emptyTally, type Tally } from "../output/tally.js";

/** The status of a row that the mapping leaves out. */
const leftOutStatus = 0;

/** What the service counts while it reads the file. */
export function tallyOf(upload: UploadDetail): Tally {
  const rowsOf = (code: Finding["code"]) =>
    upload.findings.find((finding) => finding.code === code)?.rows ?? 0;
  return {
    ...emptyTally(),
    records: upload.rows,
    requests: upload.runCount,
    created: upload.created,
    skipped: upload.skipped - upload.conflicts,
    conflicts: upload.conflicts,
    failed: upload.failed,
    leftOut: upload.leftOut,
    ambiguousTimes: rowsOf("timesTwice"),
    datesWithoutTime: rowsOf("datesWithoutTime"),
    fieldsLeftOut: Object.fromEntries(
      upload.findings
        .filter(({ code }) => code === "fieldLeftOut")
        .map(({ data, rows }) => [String(data["path"]), rows]),
    ),
    problems: upload.problems.map(({ field, message, count, line, example }) => ({
      field,
      message,
      records: count,
      examples: [{ line, ...(example === null ? {} : { value: example }) }],
    })),
  };
}

/** Writes the same files as a push: every outcome, and the failed rows and conflicts in the columns of the file. */
export async function writeResults(
  uploads: UploadMethods,
  upload: UploadDetail,
  { folder, signal }: { folder: string; signal: AbortSignal },
): Promise<Pick<Summary, "tally" | "results" | "failed" | "conflicts">> {
  const tally = tallyOf(upload);
  const results = join(folder, resultsFile);
  const names = rowFiles(",");
  const failed = join(folder, names.failed);
  const conflicts = join(folder, names.conflicts);
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
      await write(`${JSON.stringify({ line, ...outcome })}\n`);
    }
  });
  await writeAll(failed, async (write) => {
    for await (const text of uploads.failuresCsv(upload.uuid, { signal })) await write(text);
  });
  if (tally.conflicts === 0) {
    await rm(conflicts, { force: true });
    return { tally, results, failed };
  }
  await writeAll(conflicts, async (write) => {
    for await (const text of uploads.conflictsCsv(upload.uuid, { signal })) await write(text);
  });
  return { tally, results, failed, conflicts };
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
