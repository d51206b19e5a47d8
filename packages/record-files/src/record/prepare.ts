import { importResources, type ImportResourceName } from "@gatehouse-parking/contract";
import type { RowProblem } from "../refusals.js";
import { maxRowBytes, type Row } from "../table.js";
import { convertDraft, type Conversion } from "./convert.js";
import { NotTakenApart, textOf, type Draft } from "./draft.js";
import { fieldTrees } from "./fields.js";
import type { LocationBook } from "./locations.js";
import type { Mapping } from "./mapping.js";
import { planRows } from "./plan.js";
import { rulesByPath } from "./rules.js";

/** A row, and the record it becomes. */
export interface Prepared extends Row {
  /** The JSON text that is sent; undefined if the record cannot be sent. */
  text: string | undefined;
  /** Why it cannot be sent, and the reference it has. */
  refusal: { reference: string; problems: readonly RowProblem[] } | undefined;
  /** Times in it that came twice because the clocks were put back. */
  ambiguousTimes: number;
}

export interface PrepareOptions {
  mapping: Mapping;
  ignoreUnknownColumns: boolean;
  /** The zone of times without one: always the same, or that of each record's location. */
  timeZone: string | ReadonlyMap<string, string> | undefined;
  /** Whether a time that other systems write is refused with the question how it is written, and not left as it is. */
  asksAboutTimes?: boolean;
  /** For mappings that name locations otherwise than by uuid. */
  locations?: LocationBook | undefined;
}

/** What surrounds a record that is sent alone. */
const envelopeBytes = 4096;

/** Decides, from the columns, how rows become records. */
export function prepareRows(
  columns: readonly string[],
  resource: ImportResourceName,
  options: PrepareOptions,
): (row: Row) => Prepared {
  const tree = fieldTrees[resource];
  const { toDraft, columnsOf } = planRows(columns, tree, options.mapping, options);
  const rulesOf = rulesByPath(options.mapping, tree);

  const prepare = (row: Row): Prepared => {
    const planned = toDraft(row);
    if (typeof planned === "string") return sendable(row, planned, "", 0);
    const { draft, reader, problems } = planned;
    const reference = textIn(draft.get(importResources[resource].keyField)) ?? "";
    const conversion: Conversion = {
      timeZone: zoneOf(draft, options.timeZone),
      repeatedTimes: options.mapping.repeatedTimes ?? "earlier",
      asksAboutTimes: options.asksAboutTimes ?? false,
      reader,
      rulesOf,
      columnsOf,
      problems,
      ambiguousTimes: 0,
    };
    convertDraft(draft, tree, conversion);
    if (problems.length > 0) return refused(row, reference, problems);
    return sendable(row, textOf(draft), reference, conversion.ambiguousTimes);
  };
  return (row) => {
    try {
      return prepare(row);
    } catch (error) {
      if (!(error instanceof NotTakenApart)) throw error;
      return refused(row, "", [{ ...error.refusal, path: "" }]);
    }
  };
}

function sendable(row: Row, text: string, reference: string, ambiguousTimes: number): Prepared {
  if (!fits(text, maxRowBytes - envelopeBytes))
    return refused(row, reference, [{ path: "", code: "recordTooLarge", data: { maxBytes: maxRowBytes } }]);
  return { ...row, text, refusal: undefined, ambiguousTimes };
}

const encoder = new TextEncoder();
/** What a unit of a string takes in UTF-8 at most. */
const longestUnitBytes = 3;

function fits(text: string, maxBytes: number): boolean {
  return text.length * longestUnitBytes <= maxBytes || encoder.encode(text).length <= maxBytes;
}

function refused(row: Row, reference: string, problems: readonly RowProblem[]): Prepared {
  return { ...row, text: undefined, refusal: { reference, problems }, ambiguousTimes: 0 };
}

function zoneOf(draft: Draft, timeZone: PrepareOptions["timeZone"]): string | undefined {
  if (typeof timeZone === "string" || timeZone === undefined) return timeZone;
  const location = textIn(draft.get("locationUuid"));
  return location === undefined ? undefined : timeZone.get(location.toLowerCase());
}

/** The string in a JSON text, if it is one. */
function textIn(value: string | Draft | undefined): string | undefined {
  return typeof value === "string" && value.startsWith('"') ? (JSON.parse(value) as string) : undefined;
}

/** Puts every row through `prepare`, as it comes. */
export async function* prepareAll(
  rows: AsyncIterable<Row>,
  prepare: (row: Row) => Prepared,
): AsyncGenerator<Prepared> {
  for await (const row of rows) yield prepare(row);
}
