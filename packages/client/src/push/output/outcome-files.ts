import { open, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import type { OfflineOutcome } from "../record/offline-check.js";
import { failurePrefix } from "../record/plan.js";
import type { Row } from "../input/table.js";

export const resultsFile = "results.ndjson";
export const failedFile = "failed.csv";

/** How long the two files are, so that what was written after the last journal entry can be cut off. */
export interface FileSizes {
  resultsBytes: number;
  failedBytes: number;
}

/** What became of a row, and the run it was part of if it was sent. */
export interface RowOutcome {
  row: Row;
  outcome: OfflineOutcome;
  referenceUuid: string | undefined;
}

/** Every outcome, and every failed row with its own columns, so that it can be corrected and pushed again. */
export interface OutcomeFiles {
  /** Appends the outcomes; when it resolves they are on the disk. */
  append(outcomes: readonly RowOutcome[]): Promise<FileSizes>;
  close(): Promise<void>;
}

export interface OutcomeFilesOptions {
  folder: string;
  columns: readonly string[];
  delimiter: string;
  /** What to keep of files that exist; undefined to begin anew. */
  keep: FileSizes | undefined;
}

export async function openOutcomeFiles(options: OutcomeFilesOptions): Promise<OutcomeFiles> {
  const { folder, columns, delimiter, keep } = options;
  const results = await openAt(join(folder, resultsFile), keep?.resultsBytes ?? 0);
  const failed = await openAt(join(folder, failedFile), keep?.failedBytes ?? 0);
  const sizes: FileSizes = {
    resultsBytes: keep?.resultsBytes ?? 0,
    failedBytes: keep?.failedBytes ?? 0,
  };
  // A failed.csv that is pushed again has failures of its own, which would be out of date.
  const kept = [...columns.keys()].filter((position) => !columns[position]?.startsWith(failurePrefix));
  const toLine = (cells: readonly string[]) => csvLine(cells, delimiter);
  if (!keep) {
    const header = [...kept.map((position) => columns[position] as string), ...failureColumns];
    sizes.failedBytes = await write(failed, toLine(header), 0);
  }

  return {
    async append(outcomes) {
      sizes.resultsBytes += await write(
        results,
        outcomes.map((outcome) => resultLine(outcome)).join(""),
        sizes.resultsBytes,
      );
      const failures = outcomes
        .map((outcome) => failureCells(outcome, kept))
        .filter((cells) => cells !== undefined);
      sizes.failedBytes += await write(failed, failures.map(toLine).join(""), sizes.failedBytes);
      await Promise.all([results.datasync(), failed.datasync()]);
      return { ...sizes };
    },
    async close() {
      await Promise.all([results.close(), failed.close()]);
    },
  };
}

const failureColumns = ["line", "code", "name", "detail"].map((name) => failurePrefix + name);

async function openAt(path: string, bytes: number): Promise<FileHandle> {
  const file = await open(path, bytes === 0 ? "w" : "r+");
  const { size } = await file.stat();
  if (size < bytes) {
    await file.close();
    throw new Error(
      `${path} is shorter than the journal says. Run the command with --restart to begin anew; what is stored already is skipped`,
    );
  }
  await file.truncate(bytes);
  return file;
}

async function write(file: FileHandle, text: string, at: number): Promise<number> {
  const bytes = Buffer.from(text);
  let written = 0;
  while (written < bytes.length) {
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written, at + written);
    written += bytesWritten;
  }
  return bytes.length;
}

function resultLine({ row, outcome, referenceUuid }: RowOutcome): string {
  return `${JSON.stringify({ line: row.line, ...outcome, ...(referenceUuid ? { run: referenceUuid } : {}) })}\n`;
}

function failureCells({ row, outcome }: RowOutcome, kept: readonly number[]): string[] | undefined {
  if (outcome.outcome !== "Failed") return undefined;
  return [
    ...kept.map((position) => row.cells[position] ?? ""),
    String(row.line),
    String(outcome.reasonCode),
    outcome.reason,
    outcome.errorDetail,
  ];
}

export function csvLine(cells: readonly string[], delimiter: string): string {
  const quoted = cells.map((cell) =>
    /["\r\n]/.test(cell) || cell.includes(delimiter) || cell.trim() !== cell
      ? `"${cell.replaceAll('"', '""')}"`
      : cell,
  );
  // A row of one empty cell would be a blank line, which readers skip.
  return `${quoted.length === 1 && quoted[0] === "" ? '""' : quoted.join(delimiter)}\n`;
}
