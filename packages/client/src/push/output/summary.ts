import { importResources, reasons, type ImportResourceName } from "@gatehouse-parking/contract";
import {
  findingText,
  openQuestions,
  type Finding,
  type Mapping,
  type MappingQuestion,
} from "@gatehouse-parking/record-files";
import type { Unchecked } from "../file-options.js";
import type { Preview } from "../preview.js";
import { durationText } from "./progress.js";
import { previewLines } from "./preview-text.js";
import { problemLines } from "./problems.js";
import { count } from "./progress.js";
import { questionList } from "./question-list.js";
import type { Tally } from "./tally.js";

/** The result of pushing one file. */
export interface Summary {
  file: string;
  resource: ImportResourceName;
  mode: "import" | "validate-only" | "dry-run";
  /** The detected format, if it is not the usual one. */
  readAs?: string;
  /** Facts from reading the rows, such as lines that are not records. */
  notes?: readonly string[];
  /** Why the push stopped early; undefined if it finished. */
  interruption?: string;
  /** Whether the same command may succeed later without a change. */
  tryAgain?: true;
  /** What only the service can check; present in a dry run without it. */
  unchecked?: readonly Unchecked[];
  /** Present with --preview. */
  preview?: Preview;
  tally: Tally;
  /** Lines of the file that are not records, such as totals. */
  setAside?: number;
  /** Unusual rows. Present if there is anything and the file was read to its end. */
  findings?: readonly Finding[];
  durationMs: number;
  results: string;
  failed: string;
  /** Present if there are conflicts. */
  conflicts?: string;
  /** Present if the service signs receipts. */
  receipts?: string;
  /** The --delimiter option needed to push the failed rows, if any. */
  failedDelimiter?: string;
  /** The command that pushes the failed rows once they are corrected. */
  failedCommand?: string;
  /** Present in a check if the mapping has any. */
  openQuestions?: readonly MappingQuestion[];
  /** The column that supplies the reference. */
  referenceColumn?: string;
}

/** What the summary says about the mapping. */
export function aboutMapping(
  resource: ImportResourceName,
  mapping: Mapping,
): Pick<Summary, "openQuestions" | "referenceColumn"> {
  const open = openQuestions(mapping);
  const { keyField } = importResources[resource];
  const column = [...mapping.columns].find(([, targets]) => targets.some(({ to }) => to === keyField))?.[0];
  return {
    ...(open.length === 0 ? {} : { openQuestions: open }),
    ...(column === undefined ? {} : { referenceColumn: column }),
  };
}

/** A file that could not be pushed at all, with the reason. */
export interface FailedFile {
  file: string;
  resource: string;
  error: string;
  tryAgain?: true;
}

/** 75 is EX_TEMPFAIL in sysexits.h: the same command may succeed later. */
export type ExitCode = 0 | 1 | 2 | 3 | 75;

/** 0: all is stored; 2: some records failed; 3: none failed, but some conflict; 1 or 75: the push did not finish. */
export function exitCodeOf(ends: readonly (Summary | FailedFile)[]): ExitCode {
  const unfinished = ends.filter((end) => "error" in end || end.interruption !== undefined);
  if (unfinished.length > 0) return unfinished.every(({ tryAgain }) => tryAgain) ? 75 : 1;
  const has = (count: "failed" | "conflicts") => ends.some((end) => "tally" in end && end.tally[count] > 0);
  if (has("failed")) return 2;
  return has("conflicts") ? 3 : 0;
}

export function summaryText(summary: Summary): string {
  const { tally } = summary;
  const requests = summary.mode === "dry-run" ? "" : ` in ${quantity(tally.requests, "requests")}`;
  const lines = [
    ...(summary.preview ? previewLines(summary.preview) : []),
    `${summary.file}: ${quantity(tally.records, summary.resource)}${requests}, ${durationText(summary.durationMs)}${modeNote[summary.mode]}`,
    ...outcomeLines(summary),
    ...(tally.ambiguousTimes > 0
      ? [
          `  ${count(tally.ambiguousTimes)} local times occurred twice at a clock change; the earlier one was used`,
        ]
      : []),
    ...findingLines(summary),
    ...(summary.unchecked
      ? [
          `  not checked: ${summary.unchecked.map((part) => uncheckedText[part]).join("; ")}`,
          "    Add --url and --key-file to check this too.",
        ]
      : []),
    ...(summary.notes ?? []).map((note) => `  read ${note}`),
    `  outcomes     ${summary.results}`,
    ...(summary.receipts === undefined ? [] : [`  receipts     ${summary.receipts}`]),
    ...(tally.failed > 0 ? [`  failed rows  ${summary.failed}`] : []),
    ...(summary.conflicts === undefined ? [] : [`  conflicts    ${summary.conflicts}`]),
    ...(tally.failed > 0 && summary.failedCommand !== undefined
      ? ["Correct the failed rows, then push them:", `  ${summary.failedCommand}`]
      : []),
    ...(tally.conflicts > 0 ? conflictAdvice(summary) : []),
    ...questionList(summary.openQuestions ?? []),
  ];
  if (summary.interruption !== undefined) {
    lines.push(
      `  not finished: ${summary.interruption}`,
      summary.mode === "import" ? "  Run the same command again to continue." : "",
    );
  }
  return `${lines.filter((text) => text !== "").join("\n")}\n`;
}

/** Equal references are a wrong column, or two systems that count alike. */
function conflictAdvice({ resource, mode, referenceColumn }: Summary): string[] {
  const { keyField } = importResources[resource];
  const column = referenceColumn ?? keyField;
  const target = JSON.stringify({ to: keyField, prefix: "NAME-" });
  return [
    `Conflicts have a ${keyField} that is stored already, with other values. Stored records are never changed.`,
    `  If "${column}" is not unique in the file, map another column to ${keyField}, or several with "with".`,
    `  If two systems use the same IDs, give each a prefix in the mapping file: ${JSON.stringify(column)}: ${target}`,
    ...(mode === "import"
      ? ["  Undo the import in the console before you push the file with other IDs."]
      : []),
  ];
}

/** Warnings that the counts do not show. */
function findingLines({ findings = [] }: Summary): string[] {
  const shown = findings.filter(({ code }) => code !== "timesTwice");
  return shown.length === 0 ? [] : ["  warnings", ...shown.map((finding) => `    ${findingText(finding)}`)];
}

const uncheckedText: Record<Unchecked, string> = {
  localTimes: "local times, because the zones of the locations are not known",
  locations: "whether the locations exist",
};

const modeNote = {
  import: "",
  "validate-only": " (validated by the service; nothing was stored)",
  "dry-run": " (checked offline; nothing was sent)",
};

function outcomeLines({ tally, mode, resource, setAside = 0 }: Summary): string[] {
  const would = mode === "validate-only";
  return [
    ...(mode === "dry-run"
      ? [
          line("valid", tally.valid),
          ...(tally.skipped > 0 ? [line("skipped", tally.skipped, "the same record occurs twice")] : []),
        ]
      : [
          line("created", tally.created, would ? "would be created" : ""),
          line("skipped", tally.skipped, "already stored"),
        ]),
    ...(tally.conflicts > 0 ? [line("conflicts", tally.conflicts, "the same ID with other values")] : []),
    line("failed", tally.failed),
    ...Object.entries(tally.reasons).map(([code, failures]) => reasonLine(Number(code), failures)),
    ...(tally.leftOut > 0 ? [line("left out", tally.leftOut, 'by "leaveOut" of the mapping')] : []),
    ...(setAside > 0 ? [line("set aside", setAside, "not a record")] : []),
    ...(tally.problems.length > 0 ? ["  problems"] : []),
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
