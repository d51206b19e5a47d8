import path from "node:path";
import {
  checkRecord,
  formatOfExtension,
  InputError,
  LocationIndex,
  prepareRows,
  problemsText,
  profileTable,
  readTable,
  recognizeFile,
  recognizeLater,
  toMapping,
  type FileProfile,
  type Prepared,
  type Reading,
  type Row,
} from "../../src/index.js";
import type { StoredRecord } from "./differences.js";
import type { ForeignExport } from "./export-folder.js";

/** A file as the product reads it. */
export interface ReadExport {
  columns: readonly string[];
  rows: readonly Row[];
  profile: FileProfile;
}

/** What an import would store, and which rows it would report. */
export interface DryRun {
  stored: StoredRecord[];
  problems: Map<number, string>;
}

/** Reads the file like gatehouse-push: its beginning decides how. The truth of a JSON file counts its records. */
export async function readExport({ fileName, bytes, facts }: ForeignExport): Promise<ReadExport> {
  const { reading } = await recognizeFile(once(bytes), {
    format: formatOfExtension[path.extname(fileName)],
  });
  try {
    return await readAs(reading);
  } catch (error) {
    const isNotUtf8 = error instanceof InputError && error.refusal.code === "notUtf8";
    const later = isNotUtf8 ? await recognizeLater(once(bytes), reading) : undefined;
    if (!later) throw error;
    return readAs(later);
  }

  async function readAs(way: Reading): Promise<ReadExport> {
    const open = () => readTable(once(bytes), { ...way, arrayName: facts.resource });
    const table = await open();
    const rows: Row[] = [];
    for await (const row of table.rows)
      rows.push(way.format === "json" ? { ...row, line: rows.length + 1 } : row);
    return { columns: table.columns, rows, profile: await profileTable(await open()) };
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Converts all rows with a mapping, and checks them like the service. */
export function dryRun({ columns, rows }: ReadExport, { facts }: ForeignExport, content: unknown): DryRun {
  const mapping = toMapping(content);
  const prepare = prepareRows(columns, facts.resource, {
    mapping,
    ignoreUnknownColumns: false,
    timeZone: mapping.timeZone === "location" ? zonesOf(facts) : mapping.timeZone,
    asksAboutTimes: true,
    locations: new LocationIndex(facts.locations),
  });
  const stored: StoredRecord[] = [];
  const problems = new Map<number, string>();
  for (const row of rows) {
    const prepared = prepare(row);
    if (prepared.filteredBy) continue;
    const problem = problemOf(prepared, facts.resource);
    if (problem !== undefined) problems.set(row.line, problem);
    else
      stored.push({ line: row.line, record: JSON.parse(prepared.text ?? "{}") as Record<string, unknown> });
  }
  return { stored, problems };
}

function zonesOf({ locations }: ForeignExport["facts"]): ReadonlyMap<string, string> {
  return new Map(locations.map(({ uuid, timeZone }) => [uuid.toLowerCase(), timeZone]));
}

function problemOf({ text, refusal }: Prepared, resource: ForeignExport["facts"]["resource"]) {
  if (text === undefined) return problemsText(refusal?.problems ?? []);
  const { problems } = checkRecord(resource, text);
  return problems.length === 0 ? undefined : problems.map(({ message }) => message).join("; ");
}
