import { encodingNames } from "./encoding.js";
import type {
  Coded,
  FileRefusals,
  MappingError,
  MappingRefusals,
  ReadingFact,
  ReadingFacts,
  Remarks,
  RowProblem,
  RowRefusals,
  UnknownName,
  UnknownNames,
} from "./refusals.js";

/** What is said about each code. */
export type Messages<Kinds> = { readonly [Code in keyof Kinds]: string | ((data: Kinds[Code]) => string) };

export function messageOf<Kinds>(messages: Partial<Messages<Kinds>>, { code, data }: Coded<Kinds>): string {
  const message = messages[code] ?? String(code);
  return typeof message === "function" ? message(data) : message;
}

/** The words of the console and of the uploads that people start there. gatehouse-push replaces those that name its options. */
export const fileMessages: Messages<FileRefusals> = {
  fileEmpty: "the file is empty; the first line must name the columns",
  headerMissing: "the file ends before the line that is to name the columns",
  noRecords: "the file contains no records",
  columnNameless: ({ position }) =>
    `column ${position + 1} has no name; is this the line that names the columns?`,
  columnTwice: ({ name }) => `the column ${shownName(name)} appears twice`,
  columnNamesTooLong: ({ maxLength }) =>
    `the names of the columns have more than ${numberText(maxLength)} characters; is this line the header?`,
  otherDelimiter: ({ header, delimiter }) =>
    `the header is one column, ${shownName(header)}; if the cells are separated by ${delimiterText(delimiter)}, choose that as the separator`,
  raggedRow: ({ cells, columns }) =>
    `${cells} cells, but the header names ${columns} columns; is a quote missing around a cell that contains the separator?`,
  tooManyCells: ({ max }) => `a row of more than ${numberText(max)} cells`,
  misplacedQuote:
    'a quote in the middle of a cell; put the whole cell in quotes and double the quote: "a ""quoted"" word"',
  openQuote: "a cell in quotes starts in this row and does not end",
  rowTooLarge: ({ maxBytes, mayBeQuote }) =>
    mayBeQuote
      ? `a row above ${sizeText(maxBytes)} starts here; is a closing quote missing? (No larger record can be sent.)`
      : `a record above ${sizeText(maxBytes)} starts here; no larger record can be sent`,

  notUtf8: 'not valid UTF-8; save the file as UTF-8 (in a spreadsheet: "CSV UTF-8")',
  notInEncoding: ({ encoding }) => `not valid ${encodingNames[encoding]}; is it another encoding?`,
  mixedEncodings:
    "text in UTF-8, but there is text in Windows-1252 elsewhere in the file; it looks as if two files were joined. Import them one by one, or choose the encoding",
  joinedFiles:
    "a byte order mark in the middle of the file; it looks as if several files were joined: import them one by one",
  utf16: "the file is encoded in UTF-16; save it as UTF-8",
  gzip: "the file is compressed; unpack it first, for instance with gunzip",
  damagedGzip: ({ reason }) => `the file is compressed with gzip, and damaged: ${reason}`,
  zip: "the file is a ZIP archive or a spreadsheet; unpack it, or save the sheet as CSV",
  pdf: "the file is a PDF document, which holds no table; export it as CSV",
  oldSpreadsheet:
    "the file is a spreadsheet of the old kind (.xls) or has a password; save it as .xlsx without one, or as CSV",
  notSpreadsheet: "the file is no .xlsx spreadsheet, whatever its name says",

  notJson: ({ reason }) => `not valid JSON: ${reason}`,
  jsonExpected: ({ what }) => `not valid JSON: ${jsonParts[what]} is expected`,
  jsonOpen: "not valid JSON: a value starts here and does not end",
  jsonFollowed: "not valid JSON: something follows the end of the JSON",
  arrayExpected: ({ name }) => `a JSON array of ${name} is expected`,
  arrayMissing: ({ name }) => `the object has no array "${name}"`,

  spreadsheetDamaged: "the spreadsheet is damaged; save it again, or save the sheet as CSV",
  spreadsheetEmpty: "the spreadsheet is empty",
  spreadsheetTooLarge: ({ maxBytes }) => `a spreadsheet above ${sizeText(maxBytes)}; save the sheet as CSV`,
  unpacksTooLarge: ({ maxBytes }) =>
    `the spreadsheet unpacks to more than ${sizeText(maxBytes)}; save it as CSV`,
  partTooLarge: ({ part }) => `the spreadsheet holds too much in ${part}; save the sheet as CSV`,
  tooManySheets: ({ max }) =>
    `the spreadsheet has more than ${numberText(max)} sheets; save the sheet as CSV`,
  tooManyStyles: "the spreadsheet has too many styles or sheets; save the sheet as CSV",
  tooMuchText: "the spreadsheet holds too much text; save the sheet as CSV",
  tooManySheetCells: ({ max }) =>
    `more than ${numberText(max)} cells, blank ones included; save the sheet as CSV`,
  sheetMissing: ({ name, sheets }) =>
    `the spreadsheet has no sheet ${shownName(name)}, but ${shownNames(sheets)}`,

  mappedColumnMissing: ({ name }) =>
    `the mapping names the column ${shownName(name)}, which is not in the header`,
  columnsLeadToOne: ({ names: [one, other], path }) =>
    `the columns ${shownName(one)} and ${shownName(other)} both lead to ${path}. Remove one of them, or leave it out in the mapping with null`,
  unknownColumns: (unknown) =>
    `${unknownText(unknown)}. Rename the columns, say in the mapping where they go, or have unknown columns ignored`,
};

const jsonParts = {
  comma: "a comma or the end of the array",
  commaOrEnd: "a comma or the end of the object",
  colon: "a colon",
  memberName: "a member name",
};

export const mappingMessages: Messages<MappingRefusals> = {
  mappingShape: ({ unknown }) =>
    `it must be an object with the members "columns" and "constants"${unknown ? `, not "${unknown}"` : ""}`,
  targetShape: 'it must be a path, null, or an object with "to" and "values"',
  unknownMember: ({ name, known }) => `"${name}" is none of ${quoted(known)}`,
  notOneOf: ({ member, choices }) => `"${member}" must be one of ${quoted(choices)}`,
  notTimePattern: ({ pattern }) =>
    `"time" must be a pattern such as "MM/dd/yyyy h:mm a" or "dd.MM.yyyy HH:mm:ss", or "unix", "unix-ms" or "serial", not ${JSON.stringify(pattern)}`,
  notNumberExample:
    '"number" must show how the file writes 1234.50, such as "1,234.50", "1.234,50", "$1,234.50", "1 234,50 \u20ac" or "1,234.50 %"',
  notWords: ({ member }) => `"${member}" must be a word or a list of words`,
  notTrueOrFalse: ({ member }) => `"${member}" must be true or false`,
  wordTwice: ({ word }) => `"true" and "false" both list "${word}"`,
  notZone: ({ zone }) =>
    `"timeZone" must be a zone such as America/Chicago, or location, not ${JSON.stringify(zone)}`,
  notColumn: '"with" must be the name of a column',
  withoutTime: '"with" puts date and time together, so "time" must say how they are written together',
  fileShape: ({ known }) => `"file" must be an object with some of ${quoted(known)}`,
  notDelimiter: '"delimiter" must be a mark such as ";" or "\\t"',
  notQuote: '"quote" must be a quote, or "" for none',
  notLine: '"headerLine" must be a whole number from 1',
  notSheet: '"sheet" must be the name of a sheet',
  unknownField: (name) => `no field is called ${unknownNameText(name)}`,
  noFullName: ({ path }) => `"name" is for contact; ${shownName(path)} has no firstName and lastName`,
  noLocation: ({ path }) => `"location" is for locationUuid, not for ${shownName(path)}`,
  locationsNotKnown: '"location" needs the locations of the organization',
  constantTwice: ({ paths }) => `the constant ${shownNames(paths)} is given twice; keep one of them`,
  constantRefused: ({ path, problem }) =>
    `the constant ${shownName(path)}: ${messageOf(rowMessages.problems, problem)}`,
};

export interface RowMessages {
  /** The same for all rows that have it, whatever their values. It follows the name of the field. */
  problems: Messages<RowRefusals>;
  /** What settles it. */
  advice: Partial<Messages<RowRefusals>>;
}

export const rowMessages: RowMessages = {
  problems: {
    givenTwice: "is given twice; keep one of them",
    tooDeep: ({ path, maxDepth }) => `${shownName(path)} must not be nested deeper than ${maxDepth} levels`,
    unknownMembers: unknownText,
    namelessColumn: ({ name }) => `${name} has no name, but holds something`,
    objectTooLarge: ({ maxMembers }) =>
      `An object of more than ${numberText(maxMembers)} members is not taken apart`,
    objectsTooLarge:
      "The objects in the record are too large to be taken apart as often as the names with dots and the mapping ask for",
    recordTooLarge: ({ maxBytes }) => `The record is above ${sizeText(maxBytes)} and fits into no request`,
    unknownLocation: ({ by }) => `is not the ${by} of a location of the organization`,
    ambiguousLocation: ({ by }) => `is the ${by} of several locations`,
    notNumber: ({ example }) => `is not written like ${example}`,
    notTime: ({ patterns }) => `is no time written as ${patterns.join(" or ")}`,
    ambiguousTime: ({ patterns }) => `fits several of ${patterns.join(" or ")}`,
    undeclaredTime: ({ patterns }) =>
      patterns.length === 1 ? "is not in ISO 8601" : `can be read as ${patterns.join(" and as ")}`,
    zoneless: "has no zone",
    skippedTime: ({ timeZone }) => `does not exist in ${timeZone}: the clocks were put forward`,
    repeatedTime: ({ timeZone }) => `came twice in ${timeZone}: the clocks were put back`,
  },
  advice: {
    unknownMembers: "rename the members, say in the mapping where they go, or have unknown columns ignored",
    namelessColumn: ({ name }) => `say in the mapping where "${name}" goes, null for nowhere`,
    undeclaredTime: ({ patterns }) => `${ifWritten(patterns)}, say so with "time" in the mapping`,
    zoneless: 'name it with "timeZone" in the mapping',
  },
};

export function ifWritten(patterns: readonly string[]): string {
  return patterns.length === 1 ? `if it is written as ${patterns[0]}` : "if the first is right";
}

/** A problem as one sentence follows its field: what is wrong, and what settles it. */
export function problemText(problem: RowProblem, { problems, advice } = rowMessages): string {
  const text = messageOf(problems, problem);
  return problem.code in advice ? `${text}; ${messageOf(advice, problem)}` : text;
}

/** All that is wrong with a row. */
export function problemsText(problems: readonly RowProblem[], messages = rowMessages): string {
  return problems.map((problem) => sentenceOf(problem, messages)).join("; ");
}

function sentenceOf(problem: RowProblem, messages: RowMessages): string {
  const { path, columns, value } = problem;
  const from = columns ? ` (column ${columns.map((name) => `"${name}"`).join(" and ")})` : "";
  const held = value === undefined ? "" : ` ${shownValue(value)}`;
  return `${path === "" ? "" : `${path}${from}${held} `}${problemText(problem, messages)}`;
}

export function mappingText(
  { refusal, column }: MappingError,
  subject = "The mapping",
  messages = mappingMessages,
) {
  return `${subject}${column === undefined ? "" : `, column "${column}"`}: ${messageOf(messages, refusal)}`;
}

const delimiterNames: Readonly<Record<string, string>> = { "\t": "tabs", ",": "commas", ";": "semicolons" };

export const readingMessages: Messages<ReadingFacts> = {
  compressed: "compressed with gzip",
  format: ({ format }) => format.toUpperCase(),
  sheet: ({ name, count }) => `the sheet "${name}"${count > 1 ? ` of ${count}` : ""}`,
  encoding: ({ encoding }) => `in ${encodingNames[encoding]}`,
  delimiter: ({ delimiter }) => `separated by ${delimiterNames[delimiter] ?? delimiter}`,
  quote: ({ quote }) => `quoted with ${quote}`,
  headerLine: ({ line }) => `with the header in line ${line}`,
};

/** How a file is read; nothing if that is what everybody expects. */
export function readingText(facts: readonly ReadingFact[], messages = readingMessages): string {
  return facts.map((fact) => messageOf(messages, fact)).join(", ");
}

export const remarkMessages: Messages<Remarks> = {
  emptyWords: ({ words }) => `Cells with ${shownNames(words)} count as empty`,
  contested: ({ columns, path }) =>
    `The columns ${columns.map((name) => `"${name}"`).join(" and ")} both seem to lead to ${path}`,
  misfit: ({ columns, path, values, isKept }) =>
    `The column ${shownNames(columns)} is named like ${path}, but not all that it holds can go there (${shownNames(values)})${isKept ? "; it is kept in the metadata" : ""}`,
  ambiguousTimes: ({ column, value, readings }) =>
    `The column "${column}" holds "${value}", which can be read as ${readings.join(" and as ")}`,
  ambiguousNumbers: ({ column, value, readings }) =>
    `The column "${column}" holds "${value}", which can be read as ${readings.join(" and as ")} would be written`,
  unknownValues: ({ column, values }) =>
    `The column "${column}" holds ${values.map((value) => `"${value}"`).join(", ")}`,
  unknownLocations: ({ column, values }) =>
    `The column "${column}" names locations that the organization does not have by uuid, tpReferenceId or name: ${shownNames(values)}`,
  keyRepeated: ({ column }) =>
    `The column "${column}" seems to be what tells records apart, but it holds the same value several times`,
  namesAlone: ({ columns }) =>
    `No column leads to contact.email or contact.phoneNumber, one of which a contact needs; ${shownNames(columns)} ${columns.length === 1 ? "is" : "are"} kept in the metadata`,
  cardNumbers: ({ column }) => `The column "${column}" seems to hold card numbers and is left out`,
  zoneOfLocation: ({ columns }) =>
    `The times of ${shownNames(columns)} say no zone and are taken as those of each record's location`,
  zoneAsked: ({ columns }) => `The times of ${shownNames(columns)} say no zone`,
  requiredMissing: ({ paths }) => `No column leads to ${paths.join(" and ")}, which every record needs`,
};

/** The first names as a message gives them, each with the field that was probably meant. */
export function unknownText({ names, count }: UnknownNames): string {
  return `no field is called ${listed(names.map(unknownNameText), count)}`;
}

function unknownNameText({ name, meant }: UnknownName): string {
  return `${shownName(name)}${meant === undefined ? "" : ` (did you mean ${meant}?)`}`;
}

const maxShownLength = 80;
export const maxShownNames = 10;

/** A name out of a file, whatever its length. */
export function shownName(name: string): string {
  return `"${cut(name)}"`;
}

function shownValue(value: string): string {
  return JSON.stringify(cut(value));
}

function cut(text: string): string {
  return text.length > maxShownLength ? `${text.slice(0, maxShownLength)}...` : text;
}

function shownNames(names: readonly string[]): string {
  return listed(names.slice(0, maxShownNames).map(shownName), names.length);
}

function listed(shown: readonly string[], count: number): string {
  const more = count - shown.length;
  return more > 0 ? `${shown.join(", ")} and ${numberText(more)} more` : shown.join(", ");
}

function quoted(words: readonly string[]): string {
  return words.map((word) => `"${word}"`).join(", ");
}

export function delimiterText(delimiter: string): string {
  return delimiter === "\t" ? "tabs" : `"${delimiter}"`;
}

function numberText(value: number): string {
  return value.toLocaleString("en");
}

/** A limit in bytes. */
export function sizeText(bytes: number): string {
  return bytes < 1024 ** 3 ? `${Math.round(bytes / 1024 ** 2)} MB` : `${Math.round(bytes / 1024 ** 3)} GB`;
}
