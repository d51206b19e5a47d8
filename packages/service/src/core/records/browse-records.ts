import { isUuid } from "@gatehouse-parking/contract";
import type pg from "pg";
import type { BothWaysPage, RecordKind, RecordRow, RecordsQuery } from "@gatehouse-parking/contract/console";
import { readingOf } from "../paging/pages.js";
import { boundedPageBothWays, readCursor } from "../paging/bounded-page.js";
import { invalidInput } from "../refusals/user-error.js";
import { lastCharacter, searchable, sqlParameters, type SqlParameters } from "../database/sql.js";
import {
  pageKinds,
  rowColumns,
  toRecordRow,
  type LinkTarget,
  type PageKind,
  type StoredRecord,
} from "./page-kinds.js";

export interface RecordFilters extends RecordsQuery {
  organizationId: string;
  kind: RecordKind;
  limit: number;
}

/** How many references with a prefix are read. */
const maxPrefixMatches = 1_000;

/** A page of records. One filter uses an index, which sets the order; the others are checked row by row, up to a bound. */
export async function browseRecords(pool: pg.Pool, filters: RecordFilters): Promise<BothWaysPage<RecordRow>> {
  const kind = pageKinds[filters.kind];
  const parameters = sqlParameters(filters.organizationId);
  const byDay = filters.kind === "transactions" && !hasOwnIndex(kind, filters) && isByDay(filters);
  const source = byDay ? daySource(filters, parameters) : idSource(kind, filters, parameters);
  const sourceValues = [...parameters.values];
  const conditions = otherConditions(kind, filters, byDay, parameters);
  return boundedPageBothWays<StoredRecord, RecordRow>(
    pool,
    {
      source,
      columns: rowColumns(filters.kind),
      ...(conditions.length === 0 ? {} : { filter: conditions.join(" and ") }),
      ...(byDay ? inOrderOfDays(kind) : { order: ["id"] }),
      sourceValues,
      filterValues: parameters.values.slice(sourceValues.length),
      limit: filters.limit,
      toItem: (row) => toRecordRow(filters.kind, row),
    },
    readingOf(filters),
  );
}

function isByDay({ fromDate, toDate, location }: RecordFilters): boolean {
  return fromDate !== undefined || toDate !== undefined || location !== undefined;
}

/** Whether a run, a link or a reference narrows the list more than days and locations would. */
function hasOwnIndex(kind: PageKind, filters: RecordFilters): boolean {
  const { run, text } = filters;
  return (run !== undefined && kind.hasRunIndex) || text !== undefined || askedLinks(filters).length > 0;
}

/** The entities that the records must be linked to. */
function askedLinks({ account, contact, vehicle, subscription }: RecordFilters): [LinkTarget, string][] {
  const links = { accounts: account, contacts: contact, vehicles: vehicle, subscriptions: subscription };
  return Object.entries(links).filter(([, id]) => id !== undefined) as [LinkTarget, string][];
}

/** Cursors contain days as numbers, because the text of years before 1 and after 9999 does not sort. */
const firstDay = "date '1970-01-01'";
/** The range of dates in PostgreSQL. */
const days = { first: -2_440_588, last: 2_145_042_905 };

/** No index has the order within a day, because it would slow down imports. Only a few columns are sorted. */
function inOrderOfDays({ typeColumn }: PageKind) {
  const order = ["local_date", "id"];
  return {
    order,
    cursors: { local_date: `(record.local_date - ${firstDay})::text` },
    sorted: { table: "transactions", columns: [...order, ...(typeColumn === undefined ? [] : [typeColumn])] },
  };
}

/** Transactions by local day, newest day first, and within a day newest first. */
function daySource(filters: RecordFilters, { add }: SqlParameters): string {
  const conditions = ["record.organization_id = $1"];
  if (filters.fromDate) conditions.push(`record.local_date >= ${add(filters.fromDate)}::date`);
  if (filters.toDate) conditions.push(`record.local_date <= ${add(filters.toDate)}::date`);
  if (filters.location) conditions.push(`record.location_id = ${add(filters.location)}::uuid`);
  for (const { cursor, sign } of cursorsOf(filters)) {
    const [number = "", id = ""] = readCursor(cursor, 2) ?? [];
    if (!isDay(number) || !isUuid(id)) refuseCursor(sign);
    const day = `(${firstDay} + ${add(number)}::integer)`;
    conditions.push(
      `record.local_date ${sign}= ${day}`,
      `(record.local_date, record.id) ${sign} (${day}, ${add(id)}::uuid)`,
    );
  }
  return `from transactions as record where ${conditions.join(" and ")}`;
}

function isDay(text: string): boolean {
  return /^-?\d{1,10}$/.test(text) && Number(text) >= days.first && Number(text) <= days.last;
}

function idSource(kind: PageKind, filters: RecordFilters, parameters: SqlParameters): string {
  const { add } = parameters;
  const conditions = ["record.organization_id = $1"];
  if (filters.run && kind.hasRunIndex) conditions.push(`record.import_run_id = ${add(filters.run)}::uuid`);
  for (const [target, id] of askedLinks(filters)) {
    const column = kind.links[target];
    if (column) conditions.push(`record.${column} = ${add(id)}::uuid`);
  }
  for (const { cursor, sign } of cursorsOf(filters)) {
    if (!isUuid(cursor)) refuseCursor(sign);
    conditions.push(`record.id ${sign} ${add(cursor)}::uuid`);
  }
  const table =
    filters.text === undefined ? filters.kind : prefixTable(kind, filters.kind, filters.text, parameters);
  return `from ${table} as record where ${conditions.join(" and ")}`;
}

/** The list is read from the first records whose reference begins with the text. */
function prefixTable(kind: PageKind, table: RecordKind, text: string, { add }: SqlParameters): string {
  const prefix = `${add(searchable(kind.prefixOf(text)))}::text collate "C"`;
  return `(
    select * from ${table} where organization_id = $1
      and ${kind.prefixColumn} >= ${prefix} and ${kind.prefixColumn} < ${prefix} || ${lastCharacter}
    order by ${kind.prefixColumn} limit ${maxPrefixMatches}
  )`;
}

function otherConditions(
  kind: PageKind,
  filters: RecordFilters,
  byDay: boolean,
  { add }: SqlParameters,
): string[] {
  const conditions: string[] = [];
  if (filters.type !== undefined && kind.typeColumn)
    conditions.push(`record.${kind.typeColumn} = ${add(filters.type)}::smallint`);
  if (byDay) return conditions;
  if (filters.location && kind.hasLocation)
    conditions.push(`record.location_id = ${add(filters.location)}::uuid`);
  if (filters.kind === "transactions") {
    if (filters.fromDate) conditions.push(`record.local_date >= ${add(filters.fromDate)}::date`);
    if (filters.toDate) conditions.push(`record.local_date <= ${add(filters.toDate)}::date`);
  }
  return conditions;
}

/** Where the page begins, and on which side of it the rows lie. */
function cursorsOf({ before, after }: RecordFilters): { cursor: string; sign: "<" | ">" }[] {
  return [
    ...(before === undefined ? [] : [{ cursor: before, sign: "<" as const }]),
    ...(after === undefined ? [] : [{ cursor: after, sign: ">" as const }]),
  ];
}

function refuseCursor(sign: "<" | ">"): never {
  const name = sign === "<" ? "before" : "after";
  throw invalidInput(`${name} is not a cursor of this list; leave it out to start over`);
}
