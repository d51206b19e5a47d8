import { isObject, type ImportResourceName, type Location } from "@gatehouse-parking/contract";
import {
  checkRecord,
  LocationIndex,
  messageAfterPath,
  messageOf,
  prepareRows,
  problemText,
  rowMessages,
  toMapping,
  zoneFor,
  type Prepared,
  type PrepareOptions,
  type Row,
} from "@gatehouse-parking/record-files";
import { amountText, isAmount } from "../../../core/records/record-kinds.js";
import type { MappingContent } from "../mapping/mapping-choices.js";
import { texts } from "./texts.js";

export interface PreviewCell {
  path: string;
  /** The text in the file. Undefined for fixed values and JSON files. */
  original: string | undefined;
  /** Amounts have two decimals. */
  sent: string | undefined;
  isAmount: boolean;
  problems: string[];
}

export interface PreviewRow {
  line: number;
  cells: PreviewCell[];
  /** Problems of the row as a whole. */
  problems: string[];
  /** Why the mapping leaves the row out. */
  leftOut: string | undefined;
  /** It differs from the rows before it. */
  isUnlike: boolean;
}

interface PreviewOptions {
  resource: ImportResourceName;
  columns: readonly string[];
  rows: readonly (Row & { isUnlike?: boolean })[];
  mapping: MappingContent;
  locations: readonly Location[];
}

/** The first rows as they will be sent, with problems that can be found in the browser. */
export function previewRows(order: PreviewOptions): PreviewRow[] {
  const { resource, columns, rows, mapping, locations } = order;
  const prepare = prepareRows(columns, resource, prepareOptions(mapping, locations));
  const sources = sourcesOf(mapping);
  return rows.map(({ isUnlike = false, ...row }) => ({
    ...previewOf(prepare(row), order, sources, locations),
    isUnlike,
  }));
}

/** The same options as in the service. */
export function prepareOptions(content: MappingContent, locations: readonly Location[]): PrepareOptions {
  const mapping = toMapping(content);
  return {
    mapping,
    ignoreUnknownColumns: false,
    asksAboutTimes: true,
    locations: new LocationIndex(locations),
    timeZone: zoneFor(mapping.timeZone, locations),
  };
}

/** Source columns by path. */
type Sources = ReadonlyMap<string, readonly string[]>;

function sourcesOf({ columns, constants }: MappingContent): Sources {
  const sources = new Map<string, string[]>();
  const targets = Object.entries((columns ?? {}) as Record<string, unknown>).flatMap(([column, target]) =>
    [target].flat().map((one: unknown) => [column, one] as const),
  );
  for (const [column, target] of targets) {
    if (typeof target === "string") sources.set(target, [column]);
    else if (isObject(target) && typeof target["name"] === "string")
      for (const part of ["firstName", "lastName"]) sources.set(`${String(target["to"])}.${part}`, [column]);
    else if (isObject(target))
      sources.set(String(target["to"]), [column, ...[target["with"] ?? []].flat().map(String)]);
  }
  for (const path of Object.keys((constants ?? {}) as object)) if (!sources.has(path)) sources.set(path, []);
  return sources;
}

function previewOf(
  prepared: Prepared,
  { resource, columns }: PreviewOptions,
  sources: Sources,
  locations: readonly Location[],
): Omit<PreviewRow, "isUnlike"> {
  const { filteredBy } = prepared;
  const record: unknown = prepared.text === undefined ? undefined : JSON.parse(prepared.text);
  const problems = problemsOf(prepared, resource, record, locations);
  const cells = [...sources].map(([path, from]): PreviewCell => {
    const own = problems.filter((problem) => isAbout(problem.path, path));
    const sent = sentAt(record, path.split("."));
    const texts = from.flatMap((column) => prepared.cells[columns.indexOf(column)] ?? []);
    return {
      path,
      original: texts.length > 0 ? texts.join(" ") : undefined,
      sent: amountText(resource, path, sent) ?? sent,
      isAmount: isAmount(resource, path),
      problems: own.map(({ text }) => text),
    };
  });
  const paths = [...sources.keys()];
  const others = problems.filter(({ path }) => !paths.some((known) => isAbout(path, known)));
  return {
    line: prepared.line,
    leftOut: filteredBy && texts.leftOut(filteredBy.column, filteredBy.value.trim()),
    cells,
    problems: others.map(({ path, text }) => (path === "" ? text : `${path} ${text}`)),
  };
}

interface PreviewProblem {
  path: string;
  text: string;
}

function isAbout(problem: string, path: string): boolean {
  return problem === path || problem.startsWith(`${path}.`);
}

function problemsOf(
  { text, refusal }: Prepared,
  resource: ImportResourceName,
  record: unknown,
  locations: readonly Location[],
): PreviewProblem[] {
  if (text === undefined)
    // How a field is written is asked for on this page; what settles the rest is said here.
    return (refusal?.problems ?? []).map((problem) => ({
      path: problem.path,
      text: problem.path === "" ? problemText(problem) : messageOf(rowMessages.problems, problem),
    }));
  const found = checkRecord(resource, text).problems.map((problem) => ({
    path: problem.path,
    text: messageAfterPath(problem),
  }));
  return [...found, ...locationProblems(record, locations)];
}

/** checkRecord does not know the locations, but this page does. */
function locationProblems(record: unknown, locations: readonly Location[]): PreviewProblem[] {
  const uuid = isObject(record) ? record["locationUuid"] : undefined;
  if (typeof uuid !== "string" || locations.some((location) => location.uuid === uuid.toLowerCase()))
    return [];
  return [{ path: "locationUuid", text: texts.unknownLocation }];
}

function sentAt(value: unknown, [name, ...rest]: readonly string[]): string | undefined {
  if (name === undefined)
    return value === undefined || value === null
      ? undefined
      : typeof value === "string"
        ? value
        : JSON.stringify(value);
  if (!isObject(value)) return undefined;
  // Dots in metadata names were replaced by the mapping.
  return sentAt(value[name], rest);
}

const maxLength = 80;

/** A cell may hold megabytes. */
export function truncate(text: string): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}
