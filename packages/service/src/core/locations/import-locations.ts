import { LocationFields, maxLocationFileBytes, type Location } from "@gatehouse-parking/contract";
import { cutRows, guessDelimiter, InputError, ofWidth, readText } from "@gatehouse-parking/record-files";
import type { LocationField } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { isNumeric } from "../entities/columns.js";
import { storedLocation } from "../entities/entities.js";
import { dryRun, transaction } from "../database/transaction.js";
import { TimeSlice } from "../scheduling/time-slice.js";
import { writeAudit, type Actor } from "../audit/audit.js";
import { invalidInput } from "../refusals/user-error.js";
import { requireOrganization } from "../organizations/organizations.js";
import {
  checkFields,
  holdReferences,
  insertLocation,
  locationColumns,
  toLocation,
  updateLocation,
} from "./manage-locations.js";
import { spellZone } from "./time-zones.js";

/** Imports locations from a CSV file: all rows or none. Importing the same file again changes nothing. */
export interface LocationImport {
  organizationId: string;
  csv: Buffer | string;
  /** Run the whole import, report the result and roll it back. */
  dryRun: boolean;
  actor: Actor;
}

export interface LocationImportResult {
  created: number;
  updated: number;
  unchanged: number;
  locations: (Location & { line: number; outcome: Outcome })[];
}

type Outcome = "created" | "updated" | "unchanged";
interface Row {
  line: number;
  fields: LocationFields;
}

const maxRows = 10_000;
const maxColumns = 100;
/** The number of bytes read before other requests get their turn. */
const chunkBytes = 4 * 1024;
const maxShownProblems = 50;

/** Column names longer than this match none of ours and are not examined. */
const maxHeadingLength = 100;
const columns = Object.keys(LocationFields.properties) as LocationField[];
const required: readonly string[] = LocationFields.required;
const requiredColumns = columns.filter((column) => required.includes(column));
const optionalColumns = columns.filter((column) => !required.includes(column));
const columnByLetters = new Map(columns.map((column) => [lettersOf(column), column]));

export async function importLocations(pool: pg.Pool, input: LocationImport): Promise<LocationImportResult> {
  const rows = await readRows(input.csv);
  const run = input.dryRun ? dryRun : transaction;
  return run(pool, async (client) => {
    await requireOrganization(client, input.organizationId);
    await holdReferences(client, input.organizationId);
    return store(client, rows, input);
  });
}

async function store(
  client: pg.PoolClient,
  rows: Row[],
  { organizationId, actor }: LocationImport,
): Promise<LocationImportResult> {
  const known = await knownLocations(client, organizationId);
  const result: LocationImportResult = { created: 0, updated: 0, unchanged: 0, locations: [] };
  for (const { line, fields } of rows) {
    const { location, outcome } = await storeOne(known.get(identity(fields)), fields);
    known.set(identity(fields), location);
    result[outcome] += 1;
    result.locations.push({ ...location, line, outcome });
  }
  await writeAudit(client, {
    organizationId,
    actor,
    action: "location.import",
    detail: { created: result.created, updated: result.updated, unchanged: result.unchanged },
  });
  return result;

  async function storeOne(existing: Location | undefined, fields: LocationFields) {
    if (!existing)
      return {
        location: await insertLocation(client, organizationId, fields),
        outcome: "created" as const,
      };
    const changed = (Object.keys(fields) as (keyof LocationFields)[]).some(
      (field) => fields[field] !== undefined && fields[field] !== existing[field],
    );
    if (!changed) return { location: existing, outcome: "unchanged" as const };
    return {
      location: await updateLocation(client, { ...fields, locationId: existing.uuid, organizationId, actor }),
      outcome: "updated" as const,
    };
  }
}

async function knownLocations(client: pg.PoolClient, organizationId: string): Promise<Map<string, Location>> {
  const { rows } = await client.query<Record<string, unknown>>(
    `select ${locationColumns} from locations where organization_id = $1 order by id desc`,
    [organizationId],
  );
  // If several locations match, the oldest counts, because it is set last.
  return new Map(rows.map(toLocation).map((location) => [identity(location), location]));
}

/** Finds the location of a row: by its tpReferenceId or, without one, by name and address. */
function identity(fields: Pick<LocationFields, "name" | "address" | "city" | "tpReferenceId">): string {
  return fields.tpReferenceId
    ? JSON.stringify([fields.tpReferenceId])
    : JSON.stringify([fields.name, fields.address, fields.city]);
}

/** Reads a file of megabytes in steps, so that other requests are not blocked. */
/** Rejects the whole file if any row is invalid. */
export async function readRows(csv: Buffer | string): Promise<Row[]> {
  const problems: string[] = [];
  const rows: Row[] = [];
  const budget = new TimeSlice();
  const bytes = Buffer.from(csv);
  if (bytes.length > maxLocationFileBytes)
    throw invalidInput(
      `The file has ${bytes.length} bytes; at most ${maxLocationFileBytes} are read at once`,
    );
  for (const { line, record } of await parseCsv(bytes, budget)) {
    const report = (problem: string) => problems.push(`line ${line}: ${problem}`);
    const fields = toFields(record, report);
    for (const problem of checkFields(fields).problems) report(problem);
    rows.push({ line, fields });
    if (budget.isSpent) await budget.giveWay();
  }
  const seen = new Map<string, number>();
  for (const { line, fields } of rows) {
    const first = seen.get(identity(fields));
    if (first !== undefined) problems.push(`line ${line}: is the same location as line ${first}`);
    else seen.set(identity(fields), line);
  }
  refuse(problems);
  // In the stored spelling, so that another spelling of the zone does not count as a change.
  return rows.map(({ line, fields }) => ({
    line,
    fields: { ...fields, timeZone: spellZone(fields.timeZone) },
  }));
}

interface ParsedRow {
  line: number;
  record: Partial<Record<LocationField, string>>;
}

async function parseCsv(csv: Buffer, budget: TimeSlice): Promise<ParsedRow[]> {
  const rows: ParsedRow[] = [];
  try {
    const delimiter = guessDelimiter(csv.subarray(0, chunkBytes).toString());
    const cut = cutRows(readText(chunksOf(csv, budget)), { delimiter, trim: true });
    const header = await cut.next();
    const headings = readHeadings(header.done ? [] : header.value.cells);
    for await (const { line, cells } of ofWidth(cut, headings.length)) {
      rows.push({ line, record: Object.fromEntries(headings.map((name, index) => [name, cells[index]])) });
      if (rows.length > maxRows) throw invalidInput(`The file has more than ${maxRows} rows; split it`);
    }
  } catch (error) {
    if (error instanceof InputError) throw invalidInput(`The file is not valid CSV: ${error.message}`);
    throw error;
  }
  if (rows.length === 0) throw invalidInput("The file has no rows below its header");
  return rows;
}

async function* chunksOf(csv: Buffer, budget: TimeSlice): AsyncGenerator<Buffer> {
  for (let at = 0; at < csv.length; at += chunkBytes) {
    yield csv.subarray(at, at + chunkBytes);
    await budget.giveWay();
  }
}

/** Column names are accepted in several spellings: timeZone, time_zone, "Time zone". */
function readHeadings(headings: string[]): string[] {
  if (headings.length > maxColumns)
    throw invalidInput(`The header has ${headings.length} columns; at most ${maxColumns} are read`);
  const named = headings.map((heading) =>
    heading.length > maxHeadingLength ? heading : (columnByLetters.get(lettersOf(heading)) ?? heading),
  );
  const missing = requiredColumns.filter((column) => !named.includes(column));
  if (missing.length > 0) {
    throw invalidInput(
      `The header lacks ${missing.join(", ")}. It needs ${requiredColumns.join(", ")}; ${optionalColumns.join(" and ")} are optional`,
    );
  }
  return named;
}

function lettersOf(heading: string): string {
  return heading.toLowerCase().replaceAll(/[^a-z]/g, "");
}

/** An optional field without text is absent. */
function toFields(record: ParsedRow["record"], report: (problem: string) => void): LocationFields {
  const fields: Record<string, unknown> = {};
  for (const { field, kind } of storedLocation.columns) {
    const text = record[field as LocationField] ?? "";
    if (text === "" && optionalColumns.includes(field as LocationField)) continue;
    if (kind === "flag") fields[field] = readFlag(field, text, report);
    else fields[field] = isNumeric(kind) ? Number(text) : text;
  }
  return fields as LocationFields;
}

function readFlag(field: string, text: string, report: (problem: string) => void): boolean {
  if (/^(true|yes|1)$/i.test(text)) return true;
  if (!/^(false|no|0)$/i.test(text)) report(`${field} must be true or false, not "${text}"`);
  return false;
}

function refuse(problems: string[]): void {
  if (problems.length === 0) return;
  const rest = problems.length - maxShownProblems;
  const shown = [...problems.slice(0, maxShownProblems), ...(rest > 0 ? [`and ${rest} more`] : [])];
  const headline = `Nothing was stored. The file has ${problems.length} problem${problems.length === 1 ? "" : "s"}:`;
  throw invalidInput([headline, ...shown].join("\n  "), shown);
}
