import { listed, shownName, shownNames, numberText } from "../messages.js";

interface Value {
  value: string;
  count: number;
}

/** The data of each question about a foreign file, by code. */
export interface QuestionData {
  columnMeans: { column: string; looks: string };
  columnUnsure: { column: string; path: string };
  contested: { columns: readonly string[]; path: string };
  misfit: { column: string; path: string; values: readonly string[] };
  fields: { columns: readonly { column: string; path: string }[] };
  metadata: { columns: readonly string[] };
  cardNumbers: { column: string };
  placeholders: { column: string; values: readonly Value[] };
  uncleanText: { columns: readonly string[] };
  otherValues: { column: string; path: string; values: readonly Value[] };
  ambiguousTimes: { column: string; value: string; readings: readonly string[] };
  ambiguousNumbers: { column: string; value: string; readings: readonly string[] };
  numberFormat: { column: string; example: string };
  timeFormat: { column: string; patterns: readonly string[] };
  noTimeOfDay: { columns: readonly string[]; path: string };
  calendar: { column: string; calendar: string };
  implausibleTimes: { path: string; value: string };
  allMidnight: { column: string; path: string };
  overnight: { columns: readonly string[] };
  plannedOrActual: { column: string; path: string };
  minorUnits: { column: string; largest: string };
  currencies: { column: string; values: readonly Value[] };
  negative: { column: string };
  netOrGross: { columns: readonly string[] };
  codes: { column: string; values: readonly Value[]; names: Readonly<Record<string, string>> };
  knownWords: { column: string; values: Readonly<Record<string, string>> };
  unknownValue: { column: string; value: string; names: readonly string[] };
  unknownLocation: { column: string; value: string };
  unknownLocations: { column: string; values: readonly Value[] };
  nameOrder: { column: string };
  companies: { column: string };
  namesAlone: { columns: readonly string[] };
  vehicleAlone: { columns: readonly string[] };
  accountReference: { column: string };
  voidRows: { column: string; value: string };
  markedRows: { column: string; values: readonly Value[] };
  refundRows: { column: string; values: readonly Value[] };
  unpaidRows: { column: string };
  zone: { columns: readonly string[]; zone: string };
  zoneAsked: { columns: readonly string[] };
  requiredMissing: { path: string };
  keyRepeated: { column: string; equal: number; other: number };
  rowsRejected: { path: string; problem: string; value: string };
}
export type QuestionCode = keyof QuestionData;

const rowsText = (count: number) => `${numberText(count)} ${count === 1 ? "row" : "rows"}`;
const rowsHave = (count: number) => `${rowsText(count)} ${count === 1 ? "has" : "have"}`;
const valuesText = (values: readonly Value[]) =>
  listed(
    values.slice(0, 10).map(({ value, count }) => `${shownName(value)} (${numberText(count)})`),
    values.length,
  );
const pairsText = (pairs: Readonly<Record<string, string>>) =>
  Object.entries(pairs)
    .map(([value, name]) => `${shownName(value)} means ${name}`)
    .join(", ");

type Texts = { readonly [Code in QuestionCode]: (data: QuestionData[Code], rows: number) => string };

/** Each question in plain English. Surfaces with other texts go by the code. */
const calendarNames: Readonly<Record<string, string>> = {
  buddhist: "Buddhist",
  minguo: "Minguo",
  persian: "Persian",
  islamic: "Islamic (Umm al-Qura)",
  "islamic-civil": "Islamic (civil)",
};

const texts: Texts = {
  columnMeans: ({ column, looks }) =>
    `The column ${shownName(column)} looks like ${looks}. Which field is it?`,
  columnUnsure: ({ column, path }) => `Is the column ${shownName(column)} the field ${path}?`,
  contested: ({ columns, path }) => `Which of the columns ${shownNames(columns)} is ${path}?`,
  misfit: ({ column, path, values }) =>
    `The column ${shownName(column)} is named like ${path}, but contains ${shownNames(values)}. What is it?`,
  fields: ({ columns }) =>
    `Fields by the names of the columns: ${columns.map(({ column, path }) => `${shownName(column)} is ${path}`).join(", ")}`,
  metadata: ({ columns }) =>
    `${shownNames(columns)} ${columns.length === 1 ? "goes" : "go"} into the metadata`,
  cardNumbers: ({ column }) => `The column ${shownName(column)} contains card numbers and is left out`,
  placeholders: ({ column, values }) =>
    `In the column ${shownName(column)}, these mean an empty cell: ${valuesText(values)}`,
  uncleanText: ({ columns }) =>
    `Spaces around the values of ${shownNames(columns)} and invisible characters in them are removed`,
  otherValues: ({ column, path, values }) =>
    `In the column ${shownName(column)}, these are no ${path}: ${valuesText(values)}`,
  ambiguousTimes: ({ column, value, readings }) =>
    `The column ${shownName(column)} contains ${shownName(value)}, which can be read as ${readings.join(" and as ")}`,
  ambiguousNumbers: ({ column, value, readings }) =>
    `The column ${shownName(column)} contains ${shownName(value)}, which can be read in the format ${readings.join(" or ")}`,
  numberFormat: ({ column, example }) =>
    `Numbers in the column ${shownName(column)} have the format ${example}`,
  timeFormat: ({ column, patterns }) =>
    `Times in the column ${shownName(column)} have the format ${patterns.join(" or ")}`,
  noTimeOfDay: ({ columns, path }, rows) =>
    `${rowsHave(rows)} a date without a time in ${shownNames(columns)}. Which time does ${path} get?`,
  calendar: ({ column, calendar }) =>
    `The dates in the column ${shownName(column)} are in the ${calendarNames[calendar] ?? calendar} calendar`,
  implausibleTimes: ({ path, value }, rows) =>
    `${rowsHave(rows)} a ${path} that is hardly true, such as ${shownName(value)}`,
  allMidnight: ({ column, path }) =>
    `All times in the column ${shownName(column)} are midnight. Are they the times of ${path}?`,
  overnight: ({ columns }, rows) =>
    `In ${rowsText(rows)}, ${shownNames(columns)} give an exit before the entry, probably because the exit is on the next day`,
  plannedOrActual: ({ column }) => `Does the column ${shownName(column)} contain booked or actual times?`,
  minorUnits: ({ column, largest }) =>
    `All amounts in the column ${shownName(column)} are whole numbers, up to ${largest}. Are they cents?`,
  currencies: ({ column, values }) =>
    `The column ${shownName(column)} contains several currencies: ${valuesText(values)}`,
  negative: ({ column }, rows) => `${rowsHave(rows)} a negative amount in the column ${shownName(column)}`,
  netOrGross: ({ columns }) =>
    `Which of ${shownNames(columns)} is the amount that the customer paid, with tax and fees?`,
  codes: ({ column, values, names }) =>
    `In the column ${shownName(column)}, ${pairsText(names)}: ${valuesText(values)}`,
  knownWords: ({ column, values }) => `In the column ${shownName(column)}, ${pairsText(values)}`,
  unknownValue: ({ column, value }, rows) =>
    `What does ${shownName(value)} mean in the column ${shownName(column)} (${rowsText(rows)})?`,
  unknownLocation: ({ column, value }, rows) =>
    `Which location is ${shownName(value)} in the column ${shownName(column)} (${rowsText(rows)})?`,
  unknownLocations: ({ column, values }) =>
    `No uuid, tpReferenceId or name of a location matches these values of the column ${shownName(column)}: ${valuesText(values)}`,
  nameOrder: ({ column }) => `Which part of the names in the column ${shownName(column)} is the last name?`,
  companies: ({ column }) => `Some names in the column ${shownName(column)} are names of companies`,
  namesAlone: ({ columns }) =>
    `A contact needs an email address or a phone number, and no column contains either; ${shownNames(columns)} ${columns.length === 1 ? "goes" : "go"} into the metadata`,
  vehicleAlone: ({ columns }) =>
    `A vehicle needs a license plate, and no column contains it; ${shownNames(columns)} ${columns.length === 1 ? "goes" : "go"} into the metadata`,
  accountReference: ({ column }) =>
    `Are the values of the column ${shownName(column)} references of accounts that the organization already has? Rows with another reference fail`,
  voidRows: ({ column, value }, rows) =>
    `${rowsHave(rows)} ${shownName(value)} in the column ${shownName(column)}. Are they imported?`,
  markedRows: ({ column, values }, rows) =>
    `${rowsHave(rows)} a mark in the column ${shownName(column)}: ${valuesText(values)}. Are they imported?`,
  refundRows: ({ column, values }) =>
    `In the column ${shownName(column)}, these seem to be refunds: ${valuesText(values)}`,
  unpaidRows: ({ column }, rows) =>
    `By the column ${shownName(column)}, ${rowsText(rows)} may not be paid. Are they imported?`,
  zone: ({ columns, zone }) =>
    `The times of ${shownNames(columns)} are in the zone ${zone === "location" ? "of each row's location" : zone}`,
  zoneAsked: ({ columns }) => `In which time zone are the times of ${shownNames(columns)}?`,
  requiredMissing: ({ path }) => `No column contains ${path}, which every record needs`,
  keyRepeated: ({ column, equal, other }) =>
    `The column ${shownName(column)} repeats in ${rowsText(equal + other)}: ${numberText(equal)} with the same content, ${numberText(other)} with other content. Of equal ids only the first row is imported`,
  rowsRejected: ({ path, problem, value }, rows) =>
    `${rowsText(rows)} would be rejected: ${path} ${problem}${value === "" ? "" : `, such as ${shownName(value)}`}`,
};

export function questionText<Code extends QuestionCode>(
  code: Code,
  data: QuestionData[Code],
  rows: number,
): string {
  return texts[code](data, rows);
}
