import { createHash, type Hash } from "node:crypto";
import { open, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import type { ImportRun } from "@gatehouse-parking/contract";
import type { OfflineOutcome } from "../offline-check.js";
import { failureColumns, failurePrefix, type Row } from "@gatehouse-parking/record-files";

export const resultsFile = "results.ndjson";

/** The extension matches the delimiter, so that the file can be pushed again as it is. */
export function failedFile(delimiter: string): string {
  return delimiter === "\t" ? "failed.tsv" : "failed.csv";
}

/** The sizes of both files at the last journal entry. */
export interface FileMarks {
  resultsBytes: number;
  failedBytes: number;
  /**
   * A digest of the failed rows as written. People correct the rows in place, and their corrections must not
   * be lost.
   */
  failedDigest: string;
}

/** The outcome of a row, and its import if it was sent. */
export interface RowOutcome<AnyRow extends Row = Row> {
  row: AnyRow;
  outcome: OfflineOutcome;
  referenceUuid: string | undefined;
}

/**
 * All outcomes, and all failed rows with their original columns, so that they can be corrected and pushed
 * again.
 */
export interface OutcomeFiles {
  /** Call before the first outcome. Checks that the files can be written; until then no file is touched. */
  ready(): Promise<void>;
  /** Appends outcomes. Resolves when they are on disk. */
  append(outcomes: readonly RowOutcome[]): Promise<FileMarks>;
  close(): Promise<void>;
}

export interface OutcomeFilesOptions {
  folder: string;
  columns: readonly string[];
  delimiter: string;
  /** What the previous run wrote; undefined if there was none. */
  written: FileMarks | undefined;
  /** Whether this run continues the previous one. */
  goesOn: boolean;
  /** Whether the previous run was killed, so that the files may contain more than `written` says. */
  wasKilled: boolean;
}

export function outcomeFiles(options: OutcomeFilesOptions): OutcomeFiles {
  const { columns, delimiter } = options;
  // When a failed.csv is pushed again, its old failure columns are outdated.
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

/** A file that was moved away is recreated. A file that was edited is left unchanged. */
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

/** An append-only file with its size and digest. */
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
  // A row with one empty cell would be a blank line, which readers skip.
  return `${quoted.length === 1 && quoted[0] === "" ? '""' : quoted.join(delimiter)}\n`;
}

export const receiptsFile = "receipts.ndjson";

/** A response with its receipt: with the service's key set, all that `checkReceipt` needs. */
export interface KeptReceipt {
  receipt: string;
  answer: ImportRun;
}

/**
 * The receipts, one line per response; without receipts no file is created. Lines are only appended, even
 * when a push starts over, because an acknowledgement stays valid.
 */
export interface ReceiptFile {
  /** Resolves when the lines are on disk. */
  append(receipts: readonly KeptReceipt[]): Promise<void>;
  close(): Promise<void>;
}

export function receiptFile(folder: string): ReceiptFile {
  let file: FileHandle | undefined;
  return {
    async append(receipts) {
      if (receipts.length === 0) return;
      file ??= await openAtNewLine(join(folder, receiptsFile));
      await file.writeFile(receipts.map((kept) => `${JSON.stringify(kept)}\n`).join(""));
      await file.datasync();
    },
    async close() {
      await file?.close();
    },
  };
}

/** A killed process may have left half a line, which must not corrupt the next one. */
async function openAtNewLine(path: string): Promise<FileHandle> {
  const file = await open(path, "a+");
  const { size } = await file.stat();
  const { buffer } = await file.read(Buffer.from("\n"), 0, 1, Math.max(0, size - 1));
  if (buffer.toString() !== "\n") await file.writeFile("\n");
  return file;
}
