import { reasons, type ImportResourceName } from "@gatehouse-parking/contract";
import type { Prepared } from "@gatehouse-parking/record-files";
import type { OfflineOutcome } from "../offline-check.js";
import { durationText } from "./estimate.js";
import { countProblems, problemLines, type ProblemGroup } from "./problems.js";
import { count } from "./progress.js";

/** What became of the records so far. */
export interface Tally {
  records: number;
  requests: number;
  created: number;
  skipped: number;
  failed: number;
  /** Records that --dry-run found nothing wrong with. */
  valid: number;
  /** Failures by reason code. */
  reasons: Record<string, number>;
  /** Times that came twice because the clocks were put back; the earlier was taken. */
  ambiguousTimes: number;
  /** Failures by field and message. */
  problems: ProblemGroup[];
}

export function emptyTally(): Tally {
  return {
    records: 0,
    requests: 0,
    created: 0,
    skipped: 0,
    failed: 0,
    valid: 0,
    reasons: {},
    ambiguousTimes: 0,
    problems: [],
  };
}

export function countOutcome(tally: Tally, row: Prepared, outcome: OfflineOutcome): void {
  tally.records += 1;
  switch (outcome.outcome) {
    case "Created":
      tally.created += 1;
      break;
    case "Skipped":
      tally.skipped += 1;
      break;
    case "Valid":
      tally.valid += 1;
      break;
    case "Failed":
      tally.failed += 1;
      tally.reasons[outcome.reasonCode] = (tally.reasons[outcome.reasonCode] ?? 0) + 1;
      countProblems(tally.problems, row, outcome);
  }
}

/** How one file's push ended. */
export interface Summary {
  file: string;
  resource: ImportResourceName;
  mode: "import" | "validate-only" | "dry-run";
  /** What was recognized of the file, if that is not the usual. */
  readAs?: string;
  /** Why it ended before the end of the input; undefined if it did not. */
  interruption?: string;
  /** Whether the same command may succeed later without a change. */
  tryAgain?: true;
  tally: Tally;
  durationMs: number;
  results: string;
  failed: string;
  /** Where the service signs what it acknowledges. */
  receipts?: string;
  /** What --delimiter must say when the failed rows are pushed, if it must. */
  failedDelimiter?: string;
}

/** A file of which nothing could be pushed, and why. */
export interface BrokenFile {
  file: string;
  resource: string;
  error: string;
  tryAgain?: true;
}

/** 75 is what sysexits.h calls a temporary failure: the same command may succeed later. */
export type ExitCode = 0 | 1 | 2 | 75;

/** Nothing failed, some records failed, or it did not come to an end. */
export function exitCodeOf(ends: readonly (Summary | BrokenFile)[]): ExitCode {
  const unfinished = ends.filter((end) => "error" in end || end.interruption !== undefined);
  if (unfinished.length > 0) return unfinished.every(({ tryAgain }) => tryAgain) ? 75 : 1;
  return ends.some((end) => "tally" in end && end.tally.failed > 0) ? 2 : 0;
}

export function summaryText(summary: Summary): string {
  const { tally } = summary;
  const requests = summary.mode === "dry-run" ? "" : ` in ${quantity(tally.requests, "requests")}`;
  const lines = [
    `${summary.file}: ${quantity(tally.records, summary.resource)}${requests}, ${durationText(summary.durationMs)}${modeNote[summary.mode]}`,
    ...outcomeLines(summary),
    ...(tally.ambiguousTimes > 0
      ? [
          `  ${count(tally.ambiguousTimes)} local times occurred twice because the clocks went back; the earlier one was used`,
        ]
      : []),
    `  outcomes     ${summary.results}`,
    ...(summary.receipts === undefined ? [] : [`  receipts     ${summary.receipts}`]),
    ...(tally.failed > 0 ? [`  failed rows  ${summary.failed} (${advice(summary)})`] : []),
  ];
  if (summary.interruption !== undefined) {
    lines.push(
      `  not finished: ${summary.interruption}`,
      summary.mode === "import" ? "  Run the same command again to go on from here." : "",
    );
  }
  return `${lines.filter((text) => text !== "").join("\n")}\n`;
}

function advice({ failedDelimiter }: Summary): string {
  const option = failedDelimiter === undefined ? "" : ` with --delimiter "${failedDelimiter}"`;
  return `correct them and push this file${option}`;
}

const modeNote = {
  import: "",
  "validate-only": " (checked by the service; nothing was stored)",
  "dry-run": " (checked offline; nothing was sent)",
};

function outcomeLines({ tally, mode, resource }: Summary): string[] {
  const would = mode === "validate-only";
  return [
    ...(mode === "dry-run"
      ? [line("valid", tally.valid)]
      : [
          line("created", tally.created, would ? "would be created" : ""),
          line("skipped", tally.skipped, "stored already"),
        ]),
    line("failed", tally.failed),
    ...Object.entries(tally.reasons).map(([code, failures]) => reasonLine(Number(code), failures)),
    ...(tally.problems.length > 0 ? ["  what was wrong"] : []),
    ...problemLines(tally.problems, resource),
  ];
}

function quantity(value: number, things: string): string {
  return `${count(value)} ${value === 1 ? things.replace(/s$/, "") : things}`;
}

function line(name: string, value: number, note = ""): string {
  return `  ${name.padEnd(10)}${count(value).padStart(12)}${note && `  ${note}`}`;
}

function reasonLine(code: number, failures: number): string {
  const reason = reasons.find((known) => known.code === code);
  const name = `${code} ${reason?.name ?? ""}`.padEnd(24);
  return `    ${name}${count(failures).padStart(9)}  ${reason?.advice ?? ""}`;
}
