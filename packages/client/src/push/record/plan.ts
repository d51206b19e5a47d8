import { checkedJson } from "../input/ndjson.js";
import { InputError, recordColumn, type Row } from "../input/table.js";
import { membersOf, place, take, textOf, type Draft } from "./draft.js";
import { knownPaths, type FieldTree } from "./fields.js";
import type { ColumnTarget, Mapping } from "./mapping.js";

/** Columns that failed.csv adds; they are passed over when it is pushed again. */
export const failurePrefix = "failure.";

/** Turns the cells of one row into a draft; a string if the row holds JSON that is no object. */
export type RowPlan = (row: Row) => Draft | string;

interface Placement {
  position: number;
  path: readonly string[];
  values: ColumnTarget["values"];
}

/** Decides once, from the header, where every cell goes. */
export function planRows(
  columns: readonly string[],
  tree: FieldTree,
  mapping: Mapping,
  options: { ignoreUnknownColumns: boolean },
): RowPlan {
  const paths = new Map(knownPaths(tree).map((path) => [path.toLowerCase(), path]));
  const recordPosition = columns.indexOf(recordColumn);
  const isRecord = recordPosition !== -1 && !mapping.columns.has(recordColumn);
  checkMapping(columns, paths, mapping, isRecord);

  const unknown: string[] = [];
  const placements: Placement[] = [];
  for (const [position, column] of columns.entries()) {
    if (column.startsWith(failurePrefix) || (isRecord && position === recordPosition)) continue;
    const target = mapping.columns.get(column);
    if (target === null) continue;
    const path = knownPath(target?.to ?? column, paths);
    if (path === undefined) unknown.push(column);
    else placements.push({ position, path: path.split("."), values: target?.values ?? new Map() });
  }
  if (unknown.length > 0 && !options.ignoreUnknownColumns) throw unknownColumns(unknown, paths);
  const constants = [...mapping.constants].map(
    ([path, text]) => [(knownPath(path, paths) as string).split("."), text] as const,
  );

  return ({ cells, line }) => {
    const draft: Draft = new Map();
    for (const [path, text] of constants) place(draft, path, text);
    if (isRecord) {
      const text = checkedJson(cells[recordPosition] as string, line);
      const members = membersOf(text);
      if (!members) return text;
      renameMembers(members, paths, mapping);
      for (const [name, value] of members) place(draft, [name], textOf(value));
    }
    for (const { position, path, values } of placements) {
      const cell = cells[position] as string;
      if (cell.trim() !== "") place(draft, path, values.get(cell.trim()) ?? JSON.stringify(cell));
    }
    return draft;
  };
}

/** The same for records that are JSON: members are moved to where the mapping says. */
function renameMembers(members: Draft, paths: ReadonlyMap<string, string>, mapping: Mapping): void {
  for (const [column, target] of mapping.columns) {
    const text = take(members, column.split("."));
    if (text === undefined || !target) continue;
    const value: unknown = JSON.parse(text);
    const replacement = target.values.get(typeof value === "string" ? value : text);
    place(members, (knownPath(target.to, paths) as string).split("."), replacement ?? text);
  }
}

/** Metadata takes any name below it; everything else must be a field of the contract. Case is forgiven. */
function knownPath(name: string, paths: ReadonlyMap<string, string>): string | undefined {
  const known = paths.get(name.toLowerCase());
  if (known !== undefined) return known;
  const match = /^((?:[^.]+\.)?metadata)\.(.+)$/i.exec(name);
  const owner = match && paths.get((match[1] as string).toLowerCase());
  return owner ? `${owner}.${match[2] as string}` : undefined;
}

function checkMapping(
  columns: readonly string[],
  paths: ReadonlyMap<string, string>,
  mapping: Mapping,
  isRecord: boolean,
): void {
  for (const [column, target] of mapping.columns) {
    if (!isRecord && !columns.includes(column))
      throw new InputError(1, `the mapping file names the column "${column}", which is not in the header`);
    if (target) requireKnown(target.to, paths);
  }
  for (const path of mapping.constants.keys()) requireKnown(path, paths);
}

function requireKnown(path: string, paths: ReadonlyMap<string, string>): void {
  if (knownPath(path, paths) === undefined)
    throw new Error(`The mapping file names "${path}", which is no field${suggestion(path, paths)}`);
}

function unknownColumns(columns: string[], paths: ReadonlyMap<string, string>): InputError {
  const list = columns.map((column) => `"${column}"${suggestion(column, paths)}`).join(", ");
  return new InputError(
    1,
    `no field is called ${list}. Rename the columns, say in a mapping file where they go, or add --ignore-unknown-columns`,
  );
}

/** The field whose name is closest, if one is close: what is left when separators and case are gone. */
function suggestion(name: string, paths: ReadonlyMap<string, string>): string {
  const wanted = plain(name);
  const close = [...paths.values()].find((path) => {
    const candidate = plain(path);
    return candidate === wanted || (wanted.length > 3 && candidate.endsWith(wanted));
  });
  return close ? ` (did you mean ${close}?)` : "";
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}
