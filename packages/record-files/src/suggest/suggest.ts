import {
  importResources,
  type EntityDescription,
  type ImportResourceName,
} from "@gatehouse-parking/contract";
import { unnamedColumn } from "../csv.js";
import type { Remark } from "../refusals.js";
import { enumValue } from "../record/convert.js";
import { fieldAt, fieldTrees, knownPaths, type Field } from "../record/fields.js";
import { LocationIndex, type KnownLocation } from "../record/locations.js";
import { locationHints, type LocationHint } from "../record/column-target.js";
import { failurePrefix } from "../table.js";
import {
  areClockTimes,
  flagWords,
  isEmptyWord,
  haveZone,
  spellingOfNumbers,
  spellingOfTimes,
  type ColumnSample,
} from "./content.js";
import { matchColumns, isFullName, type ColumnMatch } from "./match-columns.js";
import { dateWords, enumVocabulary, plainHeader, timeWords } from "./vocabulary.js";

/** A suggested mapping, with open questions. */
export interface Suggestion {
  /** The content of a mapping file. */
  mapping: SuggestedMapping;
  /** Decisions that the user must make before the file can be pushed. */
  questions: Remark[];
  /** Assumptions that the user should review. */
  assumptions: Remark[];
}

/** A field, or an object that also declares formats. */
export type SuggestedTarget = string | Record<string, unknown>;

export interface SuggestedMapping {
  columns: Record<string, SuggestedTarget | null>;
  empty?: string[];
  timeZone?: string;
}

export interface SuggestOptions {
  resource: ImportResourceName;
  samples: readonly ColumnSample[];
  /** The organization's locations; undefined if unknown. */
  locations: readonly KnownLocation[] | undefined;
}

/** Fields that every record needs. */
function requiredPaths(resource: ImportResourceName): readonly string[] {
  const { schema, relations }: EntityDescription = importResources[resource].entity;
  const links = relations
    .filter(({ isRequired }) => isRequired)
    .map(({ referenceField = "" }) => referenceField);
  return [...(schema.required ?? []), ...links];
}

/** Suggests a mapping. A matching name is not enough: the values must fit the field. */
export function suggestMapping({ resource, samples, locations }: SuggestOptions): Suggestion {
  const columns = samples.map(({ name, values }) => ({
    name,
    values: values.filter((value) => !isEmptyWord(value)),
  }));
  const context = newContext(resource, locations);
  const { suggestion } = context;
  const pairs = pairsOf(columns);
  const joined = columns
    .filter(({ name }) => !pairs.some(({ time }) => time.name === name))
    .map((column) => pairs.find(({ date }) => date.name === column.name)?.both ?? column);
  const { matches, contested } = matchColumns(resource, joined);
  suggestion.questions.push(...contested);
  for (const column of joined) {
    const position = samples.findIndex(({ name }) => name === column.name);
    // A trailing separator creates such a column; the reader skips it.
    if (column.values.length === 0 && column.name === unnamedColumn(position)) continue;
    const match = matches.get(column.name);
    const pair = pairs.find(({ both }) => both === column);
    const target = match && targetFor(match, column, pair?.time.name, context);
    if (match && target === undefined) reportMisfit(match, column, context);
    suggestion.mapping.columns[column.name] = target ?? leftOver(pair?.date ?? column, context);
    if (pair && !target) suggestion.mapping.columns[pair.time.name] = leftOver(pair.time, context);
  }
  const empties = new Set(
    samples.flatMap(({ values }) => values.filter(isEmptyWord)).map((word) => word.trim()),
  );
  if (empties.size > 0) {
    suggestion.mapping.empty = [...empties];
    suggestion.assumptions.push({ code: "emptyWords", data: { words: [...empties] } });
  }
  keepNamesAlone(columns, context);
  askForZone(context);
  askForRequired(context);
  return suggestion;
}

export interface ColumnOptions extends Pick<SuggestOptions, "resource" | "locations"> {
  /** The target of the column. */
  path: string;
  column: ColumnSample;
}

/** Suggests the format of a column with a given target; only the target if the values are inconclusive. */
export function suggestTarget({ resource, locations, path, column }: ColumnOptions): SuggestedTarget {
  const context = newContext(resource, locations);
  const values = column.values.filter((value) => !isEmptyWord(value));
  const isField = isFullName({ path, rank: 0 }) || fieldAt(fieldTrees[resource], path) !== undefined;
  return (
    (isField ? targetFor({ path, rank: 0 }, { ...column, values }, undefined, context) : undefined) ?? path
  );
}

/** If a general name has no value that fits, the column means something else. Otherwise the user is asked. */
function reportMisfit(
  { path, rank }: ColumnMatch,
  { name, values }: ColumnSample,
  { resource, suggestion }: Context,
): void {
  const kind = fieldAt(fieldTrees[resource], path)?.kind;
  const spellingOf = kind === "time" ? spellingOfTimes : kind === "amount" ? spellingOfNumbers : undefined;
  const fitsSome = values.some((value) => spellingOf && spellingOf([value]).kind !== "foreign");
  const isKept = rank === 2 && !fitsSome;
  const data = { columns: [name], path, values: values.slice(0, 3), isKept };
  suggestion[isKept ? "assumptions" : "questions"].push({ code: "misfit", data });
}

interface Context {
  resource: ImportResourceName;
  book: LocationIndex | undefined;
  suggestion: Suggestion;
  /** Columns with times without a zone. */
  zoneless: string[];
}

function newContext(resource: ImportResourceName, locations: SuggestOptions["locations"]): Context {
  return {
    resource,
    book: locations && new LocationIndex(locations),
    suggestion: { mapping: { columns: {} }, questions: [], assumptions: [] },
    zoneless: [],
  };
}

interface Pair {
  date: ColumnSample;
  time: ColumnSample;
  both: ColumnSample;
}

/** Pairs a date column with its time column: "Entry date" and "Entry time". */
function pairsOf(columns: readonly ColumnSample[]): Pair[] {
  return columns
    .filter(({ values }) => areClockTimes(values))
    .flatMap((time) => {
      const stem = stemOf(time.name, timeWords);
      const date = columns.find(
        (other) => other !== time && stem !== undefined && stemOf(other.name, dateWords) === stem,
      );
      if (!date || date.values.length !== time.values.length) return [];
      const values = date.values.map((value, position) => `${value} ${time.values[position]}`);
      return [{ date, time, both: { name: date.name, values } }];
    });
}

/** The header without its word for date or time; undefined if there is none. */
function stemOf(name: string, words: readonly string[]): string | undefined {
  const plain = plainHeader(name);
  const word = words.find((one) => plain.includes(one));
  return word === undefined ? undefined : plain.replace(word, "");
}

/** The target and format of a column; undefined if the values do not fit. */
function targetFor(
  match: ColumnMatch,
  column: ColumnSample,
  timeColumn: string | undefined,
  context: Context,
): SuggestedTarget | undefined {
  const { path } = match;
  if (isFullName(match)) return nameTarget(column);
  const field = fieldAt(fieldTrees[context.resource], path) as Field;
  if (path.endsWith("locationUuid")) return locationTarget(path, column, context);
  switch (field.kind) {
    case "time":
      return timeTarget(path, field, column, timeColumn, context);
    case "amount":
      return numberTarget(path, column, context);
    case "integer":
      return field.names
        ? enumTarget(path, field.names, column, context)
        : numberTarget(path, column, context);
    case "flag":
      return flagTarget(path, column);
    default:
      return textTarget(path, column, context);
  }
}

function timeTarget(
  path: string,
  field: Field,
  column: ColumnSample,
  timeColumn: string | undefined,
  context: Context,
): SuggestedTarget | undefined {
  const spelling = spellingOfTimes(column.values);
  if (spelling.kind === "foreign") return undefined;
  const isDate = field.takesDates && column.values.every((value) => !value.includes(":"));
  if (!isDate && !haveZone(column.values, spelling)) context.zoneless.push(column.name);
  const withTime = timeColumn === undefined ? {} : { with: timeColumn };
  if (spelling.kind === "ambiguous") {
    const { value, readings } = spelling;
    context.suggestion.questions.push({
      code: "ambiguousTimes",
      data: { column: column.name, value, readings },
    });
    // Date and time can be combined only if their format is known.
    return timeColumn === undefined ? path : { to: path, time: spelling.readings, ...withTime };
  }
  if (spelling.kind === "declared") return { to: path, time: spelling.as, ...withTime };
  return timeColumn === undefined ? path : { to: path, time: isoPatterns, ...withTime };
}

const isoPatterns = ["yyyy-MM-dd HH:mm:ss", "yyyy-MM-dd HH:mm"];

function numberTarget(path: string, column: ColumnSample, context: Context): SuggestedTarget | undefined {
  const spelling = spellingOfNumbers(column.values);
  if (spelling.kind === "foreign") return undefined;
  if (spelling.kind === "ambiguous") {
    const { value, readings } = spelling;
    context.suggestion.questions.push({
      code: "ambiguousNumbers",
      data: { column: column.name, value, readings },
    });
  }
  return spelling.kind === "declared" ? { to: path, number: spelling.as } : path;
}

const maxDistinctValues = 30;

function enumTarget(
  path: string,
  names: Readonly<Record<string, number>>,
  column: ColumnSample,
  context: Context,
): SuggestedTarget | undefined {
  const distinct = [...new Set(column.values)];
  if (distinct.length > maxDistinctValues) return undefined;
  const words = enumVocabulary[path.slice(path.lastIndexOf(".") + 1)] ?? {};
  const values: Record<string, string> = {};
  const unknown: string[] = [];
  for (const value of distinct) {
    if (enumValue(value, names) !== undefined || Object.values(names).map(String).includes(value)) continue;
    const plain = plainHeader(value);
    const meant =
      Object.keys(names).find((name) => plainHeader(name) === plain) ??
      Object.keys(words).find((name) => words[name]?.split(" ").includes(plain));
    if (meant === undefined) unknown.push(value);
    else values[value] = meant;
  }
  if (unknown.length > 0)
    context.suggestion.questions.push({
      code: "unknownValues",
      data: { column: column.name, values: unknown, names: Object.keys(names) },
    });
  return Object.keys(values).length === 0 && unknown.length === 0 ? path : { to: path, values };
}

function flagTarget(path: string, column: ColumnSample): SuggestedTarget | undefined {
  const words = flagWords(column.values);
  if (!words) return undefined;
  const rules = {
    ...(words.true.length > 0 ? { true: words.true } : {}),
    ...(words.false.length > 0 ? { false: words.false } : {}),
  };
  return Object.keys(rules).length === 0 ? path : { to: path, ...rules };
}

function locationTarget(path: string, column: ColumnSample, { book, suggestion }: Context): SuggestedTarget {
  const distinct = [...new Set(column.values)];
  if (!book) return { to: path, location: "any" };
  const fits = (hint: LocationHint) => distinct.every((value) => "uuid" in book.find(value, hint));
  const hint = locationHints.find(fits);
  if (hint === "uuid") return path;
  if (hint !== undefined) return { to: path, location: hint };
  const unknown = distinct.filter((value) => !("uuid" in book.find(value, "any")));
  suggestion.questions.push({ code: "unknownLocations", data: { column: column.name, values: unknown } });
  return { to: path, location: "any", values: {} };
}

function textTarget(
  path: string,
  column: ColumnSample,
  { resource, suggestion }: Context,
): SuggestedTarget | undefined {
  const { values } = column;
  if (/email$/i.test(path) && values.some((value) => !value.includes("@"))) return undefined;
  if (/phone/i.test(path) && values.some((value) => !/^[\d\s+()./-]{5,}$/.test(value))) return undefined;
  // A card number is not a card type and must not be stored.
  if (path === "cardType" && values.some((value) => /\d{4}/.test(value))) return undefined;
  if (path === importResources[resource].keyField && new Set(values).size < values.length)
    suggestion.questions.push({ code: "keyRepeated", data: { column: column.name, path } });
  return path;
}

/** "Doe, Jo" is unambiguous. In names without a comma, the first word is the first name. */
function nameTarget({ values }: ColumnSample): SuggestedTarget | undefined {
  if (values.some((value) => /[\d@]/.test(value))) return undefined;
  const commas = values.filter((value) => value.includes(",")).length;
  if (commas === values.length && commas > 0) return { to: "contact", name: "last, first" };
  return commas === 0 ? { to: "contact", name: "first last" } : undefined;
}

const pathOf = (target: SuggestedTarget | null): unknown =>
  typeof target === "string" ? target : target?.["to"];

/** A contact needs an email address or phone number; with only a name, every record would fail. */
function keepNamesAlone(columns: readonly ColumnSample[], context: Context): void {
  const { mapping, assumptions } = context.suggestion;
  const paths = Object.values(mapping.columns).map(pathOf);
  if (paths.includes("contact.email") || paths.includes("contact.phoneNumber")) return;
  const alone = columns.filter(({ name }) =>
    /^contact($|\.)/.test(String(pathOf(mapping.columns[name] ?? null))),
  );
  for (const column of alone) mapping.columns[column.name] = leftOver(column, context);
  if (alone.length > 0)
    assumptions.push({ code: "namesAlone", data: { columns: alone.map(({ name }) => name) } });
}

const cardNumber = /^[\d*xX][\d*xX -]{10,21}\d$/;

/** Unmapped columns go into the metadata, except card numbers. Columns with a field's name keep it. */
function leftOver({ name, values }: ColumnSample, { resource, suggestion }: Context): string | null {
  if (name.startsWith(failurePrefix)) return null;
  if (
    /card|kart|carte|tarjeta|carta|kaart|cart[aã]o/i.test(name) &&
    values.some((value) => cardNumber.test(value))
  ) {
    suggestion.assumptions.push({ code: "cardNumbers", data: { column: name } });
    return null;
  }
  const own = knownPaths(fieldTrees[resource]).find((path) => path.toLowerCase() === name.toLowerCase());
  return own ?? `metadata.${name.replaceAll(".", " ")}`;
}

function askForZone({ resource, suggestion, zoneless }: Context): void {
  if (zoneless.length === 0) return;
  const targets = Object.values(suggestion.mapping.columns);
  const hasLocation = targets.some(
    (target) => target === "locationUuid" || (target as { to?: string })?.to === "locationUuid",
  );
  if (resource === "transactions" && hasLocation) {
    suggestion.mapping.timeZone = "location";
    suggestion.assumptions.push({ code: "zoneOfLocation", data: { columns: zoneless } });
  } else suggestion.questions.push({ code: "zoneAsked", data: { columns: zoneless } });
}

function askForRequired({ resource, suggestion }: Context): void {
  const given = Object.values(suggestion.mapping.columns).map(pathOf);
  const missing = requiredPaths(resource).filter((path) => !given.includes(path));
  if (missing.length > 0) suggestion.questions.push({ code: "requiredMissing", data: { paths: missing } });
}
