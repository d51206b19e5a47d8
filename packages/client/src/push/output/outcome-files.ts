import { rm } from "node:fs/promises";
import { join } from "node:path";
import { failureColumns, failurePrefix, type Row } from "@gatehouse-parking/record-files";
import type { AnyOutcome } from "../offline-check.js";
import { openCorrectable, openLog, type WrittenFile } from "./written-file.js";

export const resultsFile = "results.ndjson";

/** The extension matches the delimiter, so that the files can be pushed again as they are. */
export function rowFiles(delimiter: string): { failed: string; conflicts: string } {
  const extension = delimiter === "\t" ? "tsv" : "csv";
  return { failed: `failed.${extension}`, conflicts: `conflicts.${extension}` };
}

/** The sizes and digests of the files at the last journal entry. */
export interface FileMarks {
  resultsBytes: number;
  failedBytes: number;
  failedDigest: string;
  /** Absent if there were no conflicts. */
  conflictsBytes?: number;
  conflictsDigest?: string;
}

/** The outcome of a row, and its import if it was sent. */
export interface RowOutcome<AnyRow extends Row = Row> {
  row: AnyRow;
  outcome: AnyOutcome;
  referenceUuid: string | undefined;
}

/**
 * All outcomes, and all failed rows and conflicts with their original columns, so that they can be corrected and
 * pushed again.
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
  const { folder, columns, delimiter, written, goesOn } = options;
  // When a failed.csv is pushed again, its old failure columns are outdated.
  const kept = [...columns.keys()].filter((position) => !columns[position]?.startsWith(failurePrefix));
  const toLine = (cells: readonly string[]) => csvLine(cells, delimiter);
  const header = toLine([...kept.map((position) => columns[position] as string), ...failureColumns]);
  const names = rowFiles(delimiter);
  const conflictsPath = join(folder, names.conflicts);
  let files: { results: WrittenFile; failed: WrittenFile; conflicts: WrittenFile | undefined } | undefined;

  const openRows = async (path: string, mark: { bytes: number; digest: string } | undefined) => {
    const file = await openCorrectable(path, { ...options, mark });
    if (file.bytes === 0) await file.write(header);
    return file;
  };
  const openAll = async () => {
    const opened: WrittenFile[] = [];
    const keep = (file: WrittenFile) => (opened.push(file), file);
    try {
      const failed = keep(await openRows(join(folder, names.failed), failedMark(written)));
      const mark = conflictsMark(written);
      const earlier = mark && keep(await openRows(conflictsPath, mark));
      const results = keep(
        await openLog(join(folder, resultsFile), goesOn ? (written?.resultsBytes ?? 0) : 0),
      );
      // Most pushes have no conflicts, and then have no such file.
      if (earlier && goesOn) return { results, failed, conflicts: earlier };
      await earlier?.file.close();
      await rm(conflictsPath, { force: true });
      return { results, failed, conflicts: undefined };
    } catch (error) {
      await Promise.all(opened.map(({ file }) => file.close()));
      throw error;
    }
  };
  const opened = async () => (files ??= await openAll());

  return {
    async ready() {
      await opened();
    },
    async append(outcomes) {
      const all = await opened();
      const linesOf = (isWanted: (outcome: AnyOutcome) => boolean) =>
        outcomes
          .filter(({ outcome }) => isWanted(outcome))
          .map((outcome) => toLine(failureCells(outcome, kept)))
          .join("");
      const conflicts = linesOf(isConflict);
      await all.results.write(outcomes.map((outcome) => resultLine(outcome)).join(""));
      await all.failed.write(linesOf(({ outcome }) => outcome === "Failed"));
      if (conflicts !== "") all.conflicts ??= await openRows(conflictsPath, undefined);
      await all.conflicts?.write(conflicts);
      await Promise.all([all.results, all.failed, all.conflicts].map((written) => written?.file.datasync()));
      return marksOf(all.results, all.failed, all.conflicts);
    },
    async close() {
      if (files)
        await Promise.all([files.results, files.failed, files.conflicts].map((file) => file?.file.close()));
    },
  };
}

function failedMark(written: FileMarks | undefined) {
  return written && { bytes: written.failedBytes, digest: written.failedDigest };
}

function conflictsMark({ conflictsBytes, conflictsDigest }: Partial<FileMarks> = {}) {
  return conflictsBytes === undefined || conflictsDigest === undefined
    ? undefined
    : { bytes: conflictsBytes, digest: conflictsDigest };
}

function marksOf(results: WrittenFile, failed: WrittenFile, conflicts: WrittenFile | undefined): FileMarks {
  const { bytes: failedBytes, digest: failedDigest } = failed.mark();
  const mark = conflicts?.mark();
  return {
    resultsBytes: results.bytes,
    failedBytes,
    failedDigest,
    ...(mark ? { conflictsBytes: mark.bytes, conflictsDigest: mark.digest } : {}),
  };
}

/** A record with this reference is stored, or occurs earlier in the file, with other values. */
export function isConflict(outcome: AnyOutcome): boolean {
  return outcome.outcome === "Skipped" && outcome.isConflict;
}

function resultLine({ row, outcome, referenceUuid }: RowOutcome): string {
  return `${JSON.stringify({ line: row.line, ...outcome, ...(referenceUuid ? { run: referenceUuid } : {}) })}\n`;
}

function failureCells({ row, outcome }: RowOutcome, kept: readonly number[]): string[] {
  const why = "reasonCode" in outcome ? outcome : undefined;
  return [
    ...kept.map((position) => row.cells[position] ?? ""),
    String(row.line),
    String(why?.reasonCode ?? ""),
    why?.reason ?? "",
    why?.errorDetail ?? "",
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
