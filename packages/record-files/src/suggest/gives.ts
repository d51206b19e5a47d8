import type { ImportResourceName, Problem } from "@gatehouse-parking/contract";
import { problemText } from "../messages.js";
import { checkRecord, messageAfterPath } from "../record/check.js";
import { toMapping } from "../record/mapping.js";
import { mergePatch } from "../record/merge-patch.js";
import { prepareRows } from "../record/prepare.js";
import { LenientLocations, LocationIndex, zoneFor, type KnownLocation } from "../record/locations.js";
import { InputError, MappingError } from "../refusals.js";
import { recordColumn, type Row } from "../table.js";
import type { DraftQuestion, MappingPatch } from "./draft.js";
import type { FileProfile } from "./profile/profile.js";

const shownRows = 3;
/** Cells of a row that stands for itself. */
const shownCells = 4;
const maxShownLength = 200;

export interface Converter {
  resource: ImportResourceName;
  profile: FileProfile;
  /** The columns of the table; one for JSON records. */
  mapping: Record<string, unknown>;
  locations: readonly KnownLocation[] | undefined;
}

export interface Sample {
  text: string;
  row: Row;
}

/** Three real rows that the question is about. */
export function samplesOf({ columns, values, blank }: DraftQuestion, { profile }: Converter): Sample[] {
  const positionOf = (wanted: string) => profile.columns.findIndex(({ name }) => name === wanted);
  const positions =
    columns.length > 0
      ? columns.map(positionOf)
      : profile.columns.slice(0, shownCells).map((_, index) => index);
  const [first = -1] = positions;
  const blankAt = blank === undefined ? undefined : positionOf(blank);
  if (first === -1) return [];
  const found = new Map<string, Sample>();
  for (const { row, cells } of profile.rows) {
    const cell = (cells[first] ?? "").trim();
    if (cell === "" || (values && !values.includes(cell))) continue;
    if (blankAt !== undefined && (cells[blankAt] ?? "").trim() !== "") continue;
    const text = positions.map((position) => cells[position] ?? "").join(" · ");
    if (!found.has(text)) found.set(text, { text: cut(text), row });
    if (found.size === shownRows) break;
  }
  return [...found.values()];
}

/** What the samples become if the mapping is changed by a choice, as the real conversion and record check say. */
export function givesOf(
  samples: readonly Sample[],
  question: DraftQuestion,
  patch: MappingPatch,
  converter: Converter,
): string[] {
  const { mapping, locations, profile, resource } = converter;
  const merged = mergePatch(mapping, patch as Record<string, unknown>);
  const concerned = new Set([...question.columns, ...Object.keys(patch.columns ?? {})]);
  const columns = (merged["columns"] ?? {}) as Record<string, unknown>;
  const paths = new Set(
    question.shows ??
      [...concerned].flatMap((name) => pathsOf(columns[name])).concat(Object.keys(patch.constants ?? {})),
  );
  const isJson = profile.rows.some(({ row }) => row.isJson);
  const header = isJson ? [recordColumn] : profile.columns.map(({ name }) => name);
  const isZoned = merged["timeZone"] === "location";
  const convert = (isKept: (name: string, targets: unknown) => boolean, isLocated = true) => {
    const kept = Object.entries(columns).map(([name, targets]) => [
      name,
      concerned.has(name) || isKept(name, targets) ? targets : null,
    ]);
    const fixedZone = isZoned ? undefined : merged["timeZone"];
    return prepareRows(header, resource, {
      mapping: toMapping({ ...merged, columns: Object.fromEntries(kept), questions: [] }),
      ignoreUnknownColumns: true,
      asksAboutTimes: true,
      timeZone:
        isZoned && isLocated
          ? zoneFor("location", locations)
          : typeof fixedZone === "string"
            ? fixedZone
            : "UTC",
      locations: locations ? new LocationIndex(locations) : new LenientLocations(),
    });
  };
  try {
    const located = convert((_, targets) => isLocation(targets));
    const alone = convert(() => false, false);
    const whole = convert(() => true);
    const before = pathsBefore(concerned, mapping);
    return samples.map(({ row }) => {
      const first = located(row);
      // A location that is not known says nothing about the question.
      const isAlone =
        first.refusal !== undefined && !first.refusal.problems.some(({ path }) => paths.has(path));
      const { text, refusal, filteredBy } = isAlone || !locations ? alone(row) : first;
      if (filteredBy) return "not imported";
      if (text === undefined) {
        const problem = refusal?.problems.find(({ path }) => paths.has(path)) ?? refusal?.problems[0];
        return problem ? `rejected: ${problem.path} ${problemText(problem)}` : "rejected";
      }
      const texts = { whole: whole(row).text, part: text };
      const problem = causedProblem(resource, texts, new Set([...paths, ...before]));
      if (problem) return cut(`rejected: ${problem.path} ${messageAfterPath(problem)}`);
      const values = shown(JSON.parse(text) as Record<string, unknown>, paths);
      const isLocal = isZoned && (isAlone || !locations);
      return isLocal ? values.replaceAll(utcTime, "$1 at the location") : values;
    });
  } catch (error) {
    if (!(error instanceof MappingError || error instanceof InputError)) throw error;
    return samples.map(() => `not possible: ${error.message}`);
  }
}

/** The fields that the columns fill without the choice. */
function pathsBefore(columns: ReadonlySet<string>, mapping: Record<string, unknown>): string[] {
  const targets = (mapping["columns"] ?? {}) as Record<string, unknown>;
  return [...columns].flatMap((name) => pathsOf(targets[name]));
}

/**
 * The first problem of the record that the choice causes: one of its fields, or of a nested object that it fills. Other
 * problems belong to other questions. While one of those rejects the row, only the fields of the choice are checked.
 */
function causedProblem(
  resource: ImportResourceName,
  { whole, part }: { whole: string | undefined; part: string },
  paths: ReadonlySet<string>,
): Problem | undefined {
  const objects = whole === undefined ? [] : [...paths].map((path) => path.split(".")[0]);
  const isCaused = (path: string) =>
    paths.has(path) || (path.includes(".") && objects.includes(path.split(".")[0]));
  return checkRecord(resource, whole ?? part).problems.find(({ path }) => path.split(" or ").some(isCaused));
}

const utcTime = /(\d\d:\d\d:\d\d)(?:\.\d{3})?Z/g;

function isLocation(targets: unknown): boolean {
  return pathsOf(targets).includes("locationUuid");
}

function pathsOf(targets: unknown): string[] {
  return [targets].flat().flatMap((target) => {
    if (typeof target === "string") return [target];
    const to = typeof target === "object" && target !== null && "to" in target ? target.to : undefined;
    return typeof to === "string" ? [to] : [];
  });
}

/** The values at the paths; what goes nowhere is left out. */
function shown(record: Record<string, unknown>, paths: ReadonlySet<string>): string {
  const found = leaves(record).filter(([path]) =>
    [...paths].some((wanted) => path === wanted || path.startsWith(`${wanted}.`)),
  );
  if (found.length === 0) return "left out";
  return cut(found.map(([path, value]) => `${path}: ${value}`).join(", "));
}

function leaves(record: Record<string, unknown>, prefix = ""): [string, string][] {
  return Object.entries(record).flatMap(([name, value]): [string, string][] =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? leaves(value as Record<string, unknown>, `${prefix}${name}.`)
      : [[prefix + name, typeof value === "string" ? value : JSON.stringify(value)]],
  );
}

function cut(text: string): string {
  return text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text;
}
