import type { ImportResourceName, Location } from "@gatehouse-parking/contract";
import {
  enumValue,
  fieldAt,
  fieldTrees,
  LocationIndex,
  numberReadings,
  readNumberFormat,
  readTimeFormat,
  timeReadingsOf,
  type ColumnSample,
  type Field,
} from "@gatehouse-parking/record-files";
import { joinedWith, type ColumnChoice, type MappingChoices } from "./mapping-choices.js";

/** The kind of options that a column needs. */
export type ColumnTopic = "time" | "number" | "values" | "flag" | "location" | "name" | "none";

export function fieldOf(resource: ImportResourceName, path: string): Field | undefined {
  return fieldAt(fieldTrees[resource], path);
}

export function topicOf(resource: ImportResourceName, path: string): ColumnTopic {
  if (path.endsWith("locationUuid")) return "location";
  if (path === "contact") return "name";
  const field = fieldOf(resource, path);
  switch (field?.kind) {
    case "time":
      return "time";
    case "amount":
      return "number";
    case "integer":
      return field.names ? "values" : "number";
    case "flag":
      return "flag";
    default:
      return "none";
  }
}

/** The values of a column, without those that mean "empty". */
export function valuesOf(
  samples: readonly ColumnSample[],
  column: string,
  { empty: words, columns }: MappingChoices,
): string[] {
  const own = (columns[column] ?? []).flatMap(({ empty = [] }) => empty);
  const empty = new Set([...words, ...own].map((word) => word.trim().toLowerCase()));
  const values = samples.find(({ name }) => name === column)?.values ?? [];
  return values.filter((value) => !empty.has(value.trim().toLowerCase()));
}

/** Dates combined with the times of another column. */
export function timesOf(
  samples: readonly ColumnSample[],
  column: string,
  choice: ColumnChoice,
  choices: MappingChoices,
): string[] {
  const dates = valuesOf(samples, column, choices);
  const [first, ...others] = joinedWith(choice);
  if (first === undefined) return dates;
  // Dates of several columns are not shown as such.
  if (others.length > 0) return [];
  const times = valuesOf(samples, first, choices);
  return dates.length === times.length ? dates.map((date, at) => `${date} ${times[at]}`) : [];
}

/** Formats that fit all values. Several if they are ambiguous, none if nothing fits. */
export function possibleFormats(values: readonly string[], topic: "time" | "number"): string[] {
  return readingsOf(values, topic).formats;
}

/** A value with two possible meanings, if there is one. */
export function ambiguousValue(values: readonly string[], topic: "time" | "number"): string | undefined {
  return readingsOf(values, topic).ambiguous;
}

function readingsOf(values: readonly string[], topic: "time" | "number") {
  return topic === "time" ? timeReadingsOf(values) : numberReadings(values);
}

export function isKnownFormat(text: string, topic: "time" | "number"): boolean {
  return (topic === "time" ? readTimeFormat(text) : readNumberFormat(text)) !== undefined;
}

/** An unambiguous text for a time, if it has this format. */
export function formatTime(value: string, pattern: string): string | undefined {
  const written = readTimeFormat(pattern)?.read(value);
  if (!written) return undefined;
  const date = new Date(`${written.date}T00:00:00Z`);
  const day = new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone: "UTC" }).format(date);
  return written.time === undefined ? day : `${day}, ${written.time.slice(0, 5)}`;
}

const maxDistinct = 30;

/** Values that are neither names nor numbers of the enumeration. */
export function unknownEnumValues(
  values: readonly string[],
  names: Readonly<Record<string, number>>,
): string[] {
  const numbers = Object.values(names).map(String);
  const distinct = [...new Set(values)];
  return distinct
    .filter((value) => enumValue(value, names) === undefined && !numbers.includes(value))
    .slice(0, maxDistinct);
}

/** Values that match no location. */
export function unknownLocations(
  values: readonly string[],
  hint: string | undefined,
  locations: readonly Location[],
): string[] {
  const book = new LocationIndex(locations);
  const how = (hint ?? "uuid") as Parameters<LocationIndex["find"]>[1];
  return [...new Set(values)].filter((value) => !("uuid" in book.find(value, how))).slice(0, maxDistinct);
}

const zoneAtEnd = /(?:[Zz]|[+-]\d{2}(?::?\d{2})?)$/;

export function needsZone(
  values: readonly string[],
  choice: ColumnChoice,
  field: Field | undefined,
): boolean {
  if (field?.takesDates && values.every((value) => !value.includes(":"))) return false;
  const [pattern] = [choice.time ?? []].flat();
  if (pattern !== undefined) return readTimeFormat(pattern)?.hasZone !== true;
  return values.some((value) => value.length <= 10 || !zoneAtEnd.test(value.slice(10)));
}
