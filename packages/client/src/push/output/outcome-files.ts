import { createHash, type Hash } from "node:crypto";
import { open, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import type { OfflineOutcome } from "../offline-check.js";
import { failureColumns, failurePrefix, type Row } from "@gatehouse-parking/record-files";

export const resultsFile = "results.ndjson";

/** Named so that a file separated by tabs can be pushed again as it is. */
export function failedFile(delimiter: string): string {
  return delimiter === "\t" ? "failed.tsv" : "failed.csv";
}

/** What was written to the two files up to the last journal entry. */
export interface FileMarks {
  resultsBytes: number;
  failedBytes: number;
  /**
   * A digest of the failed rows as they were written. People correct them in place, and their corrections must stay.
   */
  failedDigest: string;
}

/** What became of a row, and the run it was part of if it was sent. */
export interface RowOutcome<AnyRow extends Row = Row> {
  row: AnyRow;
  outcome: OfflineOutcome;
  referenceUuid: string | undefined;
}

/** Every outcome, and every failed row with its own columns, so that it can be corrected and pushed again. */
export interface OutcomeFiles {
  /** To be called before there is an outcome: it makes sure that it can be written. Until then no file is touched. */
  ready(): Promise<void>;
  /** Appends the outcomes; when it resolves they are on the disk. */
  append(outcomes: readonly RowOutcome[]): Promise<FileMarks>;
  close(): Promise<void>;
}

export interface OutcomeFilesOptions {
  folder: string;
  columns: readonly string[];
  delimiter: string;
  /** What an earlier run has written; undefined if there was none. */
  written: FileMarks | undefined;
  /** Whether that is kept. */
  goesOn: boolean;
  /** Whether that run died at it, so that more may be there than it could tell. */
  wasKilled: boolean;
}

export function outcomeFiles(options: OutcomeFilesOptions): OutcomeFiles {
  const { columns, delimiter } = options;
  // A failed.csv that is pushed again has failures of its own, which would be out of date.
  const kept = [...columns.keys()].filter((position) => !columns[position]?.startsWith(failurePrefix));
  const toLine = (cells: readonly string[]) => csvLine(cells, delimiter);
  const header = toLine([...kept.map((position) => columns[position] as string), ...failureColumns]);
  let files: { results: WrittenFile; failed: WrittenFile } | undefined;
  const opened = async () => (files ??= await openBoth(options, header));

  return {
    async ready() {
      await opened();
    },
    async append(outcomes) {
      const { results, failed } = await opened();
      const failures = outcomes
        .map((outcome) => failureCells(outcome, kept))
        .filter((cells) => cells !== undefined);
      await results.write(outcomes.map((outcome) => resultLine(outcome)).join(""));
      await failed.write(failures.map(toLine).join(""));
      await Promise.all([results.file.datasync(), failed.file.datasync()]);
      return { resultsBytes: results.bytes, failedBytes: failed.bytes, failedDigest: failed.digest() };
    },
    async close() {
      await Promise.all([files?.results.file.close(), files?.failed.file.close()]);
    },
  };
}

async function openBoth(options: OutcomeFilesOptions, header: string) {
  const { folder, delimiter, written, goesOn } = options;
  const failed = await openFailed(join(folder, failedFile(delimiter)), options);
  try {
    if (failed.bytes === 0) await failed.write(header);
    const results = await openResults(join(folder, resultsFile), goesOn ? (written?.resultsBytes ?? 0) : 0);
    return { results, failed };
  } catch (error) {
    await failed.file.close();
    throw error;
  }
}

async function openResults(path: string, bytes: number): Promise<WrittenFile> {
  const file = await open(path, bytes === 0 ? "w" : "r+");
  const { size } = await file.stat();
  if (size < bytes) {
    await file.close();
    throw new Error(
      `${path} is shorter than the journal says. Run the command with --restart to start over; records that are already stored are skipped`,
    );
  }
  await file.truncate(bytes);
  return new WrittenFile(file, bytes, createHash("sha256"));
}

/** One that was moved away is begun anew; one that is no longer what was written is left as it is. */
async function openFailed(path: string, options: OutcomeFilesOptions): Promise<WrittenFile> {
  const { written, goesOn, wasKilled } = options;
  const file = written && (await openIfThere(path));
  if (!file) return new WrittenFile(await open(path, "w"), 0, createHash("sha256"));
  const hash = await hashOf(file, written.failedBytes);
  const { size } = await file.stat();
  const isOurs =
    hash.copy().digest("hex") === written.failedDigest && (size === written.failedBytes || wasKilled);
  if (!isOurs) {
    await file.close();
    throw new Error(
      `${path} was changed after it was written, so the rows that fail now cannot be added to it. Rename it (it can be pushed under any name), and run the command again`,
    );
  }
  const bytes = goesOn ? written.failedBytes : 0;
  await file.truncate(bytes);
  return new WrittenFile(file, bytes, goesOn ? hash : createHash("sha256"));
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, "r+");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

async function hashOf(file: FileHandle, bytes: number): Promise<Hash> {
  const hash = createHash("sha256");
  const content = file.createReadStream({ start: 0, end: bytes - 1, autoClose: false });
  for await (const chunk of content) hash.update(chunk as Buffer);
  return hash;
}

/** A file that is only appended to, and what is in it. */
class WrittenFile {
  readonly file: FileHandle;
  bytes: number;
  readonly #hash: Hash;

  constructor(file: FileHandle, bytes: number, hash: Hash) {
    this.file = file;
    this.bytes = bytes;
    this.#hash = hash;
  }

  digest(): string {
    return this.#hash.copy().digest("hex");
  }

  async write(text: string): Promise<void> {
    const content = Buffer.from(text);
    let written = 0;
    while (written < content.length) {
      const rest = content.length - written;
      const { bytesWritten } = await this.file.write(content, written, rest, this.bytes + written);
      written += bytesWritten;
    }
    this.bytes += content.length;
    this.#hash.update(content);
  }
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
