import {
  importResources,
  type Entity,
  type ImportResourceName,
  type Location,
} from "@gatehouse-parking/contract";
import {
  fieldTrees,
  knownPaths,
  prepareRows,
  type ColumnTarget,
  type Mapping,
  type Prepared,
} from "@gatehouse-parking/record-files";
import type { ReadFile } from "./read-file.js";

/** What the person chose: where each column goes (null: nowhere) and what is the same for every record. */
export interface Choices {
  columns: Record<string, string | null>;
  constants: { path: string; value: string }[];
  /** The zone of times that name none. */
  zone: "as-is" | "location" | (string & {});
}

export function pathsOf(resource: ImportResourceName): string[] {
  return knownPaths(fieldTrees[resource]);
}

/** A first guess from the names of the columns, without case, spaces and separators. */
export function guessChoices(file: ReadFile, resource: ImportResourceName): Choices {
  const paths = new Map(pathsOf(resource).map((path) => [plain(path), path]));
  const columns = Object.fromEntries(
    file.columns.map((column) => [column, paths.get(plain(column)) ?? null]),
  );
  return { columns, constants: [], zone: "as-is" };
}

/** What a record cannot do without, and no column gives. */
export function missingPaths(resource: ImportResourceName, choices: Choices): string[] {
  const given = new Set([
    ...Object.values(choices.columns),
    ...choices.constants.filter(({ value }) => value !== "").map(({ path }) => path),
  ]);
  const { required = [] }: Entity["schema"] = importResources[resource].entity.schema;
  return required.filter((path) => !given.has(path));
}

export function repeatedPaths(choices: Choices): string[] {
  const targets = Object.values(choices.columns).filter((path) => path !== null);
  return [...new Set(targets.filter((path, index) => targets.indexOf(path) !== index))];
}

/** Every record of the file as the text that is sent. The command line's importer does the same with the same code. */
export function prepareFile(
  file: ReadFile,
  resource: ImportResourceName,
  choices: Choices,
  locations: readonly Location[],
): Prepared[] {
  const timeZone = zoneOf(choices.zone, locations);
  const prepare = prepareRows(file.columns, resource, {
    mapping:
      file.kind === "csv" ? toMapping(choices) : { columns: new Map(), constants: constantsOf(choices) },
    ignoreUnknownColumns: true,
    timeZone,
  });
  const prepared = file.rows.map(prepare);
  if (!(timeZone instanceof Map)) return prepared;
  return prepared.map((record) => refuseUnknownLocation(record, resource, timeZone));
}

/** Without a clock the times would stay as they are, and the service would blame them instead of the location. */
function refuseUnknownLocation(
  record: Prepared,
  resource: ImportResourceName,
  zones: ReadonlyMap<string, string>,
): Prepared {
  if (record.text === undefined) return record;
  const fields = JSON.parse(record.text) as Record<string, unknown> | null;
  const location = fields?.["locationUuid"];
  if (typeof location !== "string" || zones.has(location.toLowerCase())) return record;
  const reference = String(fields?.[importResources[resource].keyField] ?? "");
  const detail = `There is no location ${location}, so its local times cannot be converted`;
  return { ...record, text: undefined, refusal: { reference, detail } };
}

function toMapping(choices: Choices): Mapping {
  const targets = Object.entries(choices.columns).map(([column, to]): [string, ColumnTarget | null] => [
    column,
    to === null ? null : { to, values: new Map() },
  ]);
  return { columns: new Map(targets), constants: constantsOf(choices) };
}

/** Fixed values are text like cells are, and become numbers and flags by the field they are for. */
function constantsOf(choices: Choices): Mapping["constants"] {
  return new Map(
    choices.constants
      .filter(({ path, value }) => path !== "" && value !== "")
      .map(({ path, value }) => [path, JSON.stringify(value)]),
  );
}

function zoneOf(zone: Choices["zone"], locations: readonly Location[]) {
  if (zone === "as-is") return undefined;
  if (zone !== "location") return zone;
  return new Map(locations.map((location) => [location.uuid.toLowerCase(), location.timeZone]));
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}
