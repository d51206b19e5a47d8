import { importResources, type ImportResourceName } from "@gatehouse-parking/contract";
import type { RowProblem } from "../refusals.js";
import { maxRowBytes, type Row } from "../table.js";
import { convertRecord, moveToNextDay, type Conversion } from "./convert.js";
import { ObjectLimitError, textOf, type RecordTree } from "./record-builder.js";
import { fieldTrees } from "./fields.js";
import type { FileFindings } from "./findings/file-findings.js";
import { OptionalFields } from "./leave-out-fields.js";
import type { LocationIndex } from "./locations.js";
import type { Mapping } from "./mapping.js";
import { planRows } from "./plan.js";
import type { FilterMatch } from "./row-filter.js";
import { rulesByPath } from "./rules-by-path.js";

/** A row and its record. */
export interface Prepared extends Row {
  /** The JSON to send; undefined if the record cannot be sent or the row is left out. */
  text: string | undefined;
  /** Why the record cannot be sent, with its reference. */
  refusal: { reference: string; problems: readonly RowProblem[] } | undefined;
  /** The filter of the mapping that leaves the row out. Such a row is neither sent nor failed. */
  filteredBy: FilterMatch | undefined;
  /** Optional fields that were left out, because their value is not valid. */
  leftOut: readonly RowProblem[];
  /** Times in the record that were ambiguous because of a clock change. */
  ambiguousTimes: number;
  /** Dates in the record that became midnight, because the file has no time for them. */
  datesWithoutTime: number;
}

export type FindingsReceiver = Pick<FileFindings, "addFiltered" | "addRecord">;

export interface PrepareOptions {
  mapping: Mapping;
  ignoreUnknownColumns: boolean;
  /** The zone of times without one: fixed, or by location UUID. */
  timeZone: string | ReadonlyMap<string, string> | undefined;
  /** Whether to reject unknown time formats and ask for the format. Otherwise the value stays unchanged. */
  asksAboutTimes?: boolean;
  /** For mappings that identify locations by name or reference. */
  locations?: LocationIndex | undefined;
  /** Receives what is unusual about the rows. */
  findings?: FindingsReceiver | undefined;
}

/** Reserved for the request around a single record. */
const envelopeBytes = 4096;

/** Creates the function that converts rows to records. */
export function prepareRows(
  columns: readonly string[],
  resource: ImportResourceName,
  options: PrepareOptions,
): (row: Row) => Prepared {
  const tree = fieldTrees[resource];
  const { mapping, findings } = options;
  const { toDraft, columnsOf } = planRows(columns, tree, mapping, options);
  const rulesOf = rulesByPath(mapping, tree);
  const optional = new OptionalFields(mapping, resource);

  const prepare = (row: Row): Prepared => {
    if (row.problem) return refused(row, "", [row.problem]);
    const planned = toDraft(row);
    if (typeof planned === "string") return sendable(row, planned, "");
    if ("column" in planned) {
      const filtered = { ...row, ...nothing, filteredBy: planned };
      findings?.addFiltered(filtered);
      return filtered;
    }
    const { draft, reader, problems } = planned;
    const reference = textIn(draft.get(importResources[resource].keyField)) ?? "";
    const conversion: Conversion = {
      timeZone: zoneOf(draft, options.timeZone),
      repeatedTimes: mapping.repeatedTimes ?? "earlier",
      asksAboutTimes: options.asksAboutTimes ?? false,
      needsTimeOfDay: mapping.isForFile ?? false,
      reader,
      rulesOf,
      columnsOf,
      problems,
      ends: new Map(),
      ambiguousTimes: 0,
      datesWithoutTime: 0,
    };
    convertRecord(draft, tree, conversion);
    if (conversion.ends.size > 0) moveToNextDay(draft, conversion);
    const leftOut = optional.leaveOut(draft, reader, problems);
    if (problems.length > 0) return refused(row, reference, problems);
    const { ambiguousTimes, datesWithoutTime } = conversion;
    const prepared = sendable(row, textOf(draft), reference, { leftOut, ambiguousTimes, datesWithoutTime });
    findings?.addRecord(resource, columns, { row, draft, prepared, reference });
    return prepared;
  };
  return (row) => {
    try {
      return prepare(row);
    } catch (error) {
      if (!(error instanceof ObjectLimitError)) throw error;
      return refused(row, "", [{ ...error.refusal, path: "" }]);
    }
  };
}

const nothing = {
  text: undefined,
  refusal: undefined,
  filteredBy: undefined,
  leftOut: [],
  ambiguousTimes: 0,
  datesWithoutTime: 0,
};

function sendable(
  row: Row,
  text: string,
  reference: string,
  remarks?: Pick<Prepared, "leftOut" | "ambiguousTimes" | "datesWithoutTime">,
): Prepared {
  if (!fits(text, maxRowBytes - envelopeBytes))
    return refused(row, reference, [{ path: "", code: "recordTooLarge", data: { maxBytes: maxRowBytes } }]);
  // Written out, because spreading objects takes a tenth of the whole conversion.
  return {
    ...row,
    text,
    refusal: undefined,
    filteredBy: undefined,
    leftOut: remarks?.leftOut ?? [],
    ambiguousTimes: remarks?.ambiguousTimes ?? 0,
    datesWithoutTime: remarks?.datesWithoutTime ?? 0,
  };
}

const encoder = new TextEncoder();
/** The maximum UTF-8 bytes per UTF-16 code unit. */
const longestUnitBytes = 3;

function fits(text: string, maxBytes: number): boolean {
  return text.length * longestUnitBytes <= maxBytes || encoder.encode(text).length <= maxBytes;
}

function refused(row: Row, reference: string, problems: readonly RowProblem[]): Prepared {
  return { ...row, ...nothing, refusal: { reference, problems } };
}

function zoneOf(draft: RecordTree, timeZone: PrepareOptions["timeZone"]): string | undefined {
  if (typeof timeZone === "string" || timeZone === undefined) return timeZone;
  const location = textIn(draft.get("locationUuid"));
  return location === undefined ? undefined : timeZone.get(location.toLowerCase());
}

/** The string in a JSON text; undefined for other values. */
function textIn(value: string | RecordTree | undefined): string | undefined {
  return typeof value === "string" && value.startsWith('"') ? (JSON.parse(value) as string) : undefined;
}

/** Converts rows as they arrive. */
export async function* prepareAll(
  rows: AsyncIterable<Row>,
  prepare: (row: Row) => Prepared,
): AsyncGenerator<Prepared> {
  for await (const row of rows) yield prepare(row);
}
