import { encodingNames } from "./encoding.js";
import type {
  Coded,
  Finding,
  Findings,
  FileRefusals,
  MappingError,
  MappingRefusals,
  ReadingFact,
  ReadingFacts,
  RowProblem,
  RowRefusals,
  UnknownName,
  UnknownNames,
} from "./refusals.js";

/** A message for each code. */
export type Messages<Kinds> = { readonly [Code in keyof Kinds]: string | ((data: Kinds[Code]) => string) };

export function messageOf<Kinds>(messages: Partial<Messages<Kinds>>, { code, data }: Coded<Kinds>): string {
  const message = messages[code] ?? String(code);
  return typeof message === "function" ? message(data) : message;
}

/** Messages of the console and of uploads. gatehouse-push overrides those that name its options. */
export const fileMessages: Messages<FileRefusals> = {
  fileEmpty: "the file is empty; the first line must name the columns",
  headerMissing: "the file ends before the header line",
  noRecords: "the file contains no records",
  columnNameless: ({ position }) => `column ${position + 1} has no name; check that this is the header line`,
  columnNamesTooLong: ({ maxLength }) =>
    `the column names have more than ${numberText(maxLength)} characters; check that this is the header line`,
  otherDelimiter: ({ header, delimiter }) =>
    `the header has only one column, ${shownName(header)}; if the separator is ${delimiterText(delimiter)}, select it`,
  fixedWidth: ({ header }) =>
    `the header has only one column, ${shownName(header)}; the columns seem to be aligned by spaces. Export the file with a separator, or split it with the text import of a spreadsheet program`,
  otherHeader:
    "a header with the same names in another order; the file consists of several exports. Import them separately",
  raggedRow: (data) => `${cellsText(data)}; ${raggedAdvice}`,
  tooManyCells: ({ max }) => `the row has more than ${numberText(max)} cells`,
  misplacedQuote:
    'text after the closing quote of a cell; double the quotes inside a quoted cell: "a ""quoted"" word"',
  openQuote: "a quoted cell starts in this row and is not closed",
  rowTooLarge: ({ maxBytes, mayBeQuote }) =>
    mayBeQuote
      ? `the row that starts here is larger than ${sizeText(maxBytes)}, the limit of a record; check for a missing closing quote`
      : `the record that starts here is larger than ${sizeText(maxBytes)}, the limit of a record`,

  notUtf8: 'not valid UTF-8; save the file as UTF-8 (in a spreadsheet: "CSV UTF-8")',
  notInEncoding: ({ encoding }) => `not valid ${encodingNames[encoding]}; choose a different encoding`,
  mixedEncodings:
    "the file contains both UTF-8 and Windows-1252 text; it may consist of two joined files. Import them separately, or choose the encoding",
  joinedFiles:
    "a byte order mark in the middle of the file; it may consist of several joined files. Import them separately",
  utf16: "the file is encoded in UTF-16; save it as UTF-8",
  gzip: "the file is compressed; unpack it first, for instance with gunzip",
  damagedGzip: ({ reason }) => `the gzip file is damaged: ${reason}`,
  zip: "the file is a ZIP archive or a spreadsheet; unpack it, or save the sheet as CSV",
  pdf: "the file is a PDF document; export the data as CSV",
  html: "the file is a web page, even if its name ends with .xls; open it in a spreadsheet program and save it as .xlsx or CSV",
  xml: "the file is XML; export the data as CSV or JSON, or open it in a spreadsheet program and save it as .xlsx",
  oldSpreadsheet:
    "the file is an old spreadsheet (.xls) or has a password; save it as .xlsx without a password, or as CSV",
  notSpreadsheet: "the file is not an .xlsx spreadsheet, despite its name",

  notJson: ({ reason }) => `not valid JSON: ${reason}`,
  jsonExpected: ({ what }) => `not valid JSON: expected ${jsonParts[what]}`,
  jsonOpen: "not valid JSON: the value that starts here is incomplete",
  jsonFollowed: "not valid JSON: unexpected text after the end",
  arrayExpected: ({ name }) => `expected a JSON array of ${name}`,
  arrayMissing: ({ name }) => `the object has no array "${name}" and no other array of objects`,
  severalArrays: ({ names, name }) =>
    `the file has several arrays of objects: ${shownNames(names)}. Rename the array with the records to "${name}", or remove the others`,

  spreadsheetDamaged: "the spreadsheet is damaged; save it again, or save the sheet as CSV",
  spreadsheetEmpty: "the spreadsheet is empty",
  spreadsheetTooLarge: ({ maxBytes }) =>
    `the spreadsheet is larger than ${sizeText(maxBytes)}; save the sheet as CSV`,
  unpacksTooLarge: ({ maxBytes }) =>
    `the spreadsheet unpacks to more than ${sizeText(maxBytes)}; save it as CSV`,
  partTooLarge: ({ part }) => `the part ${part} of the spreadsheet is too large; save the sheet as CSV`,
  tooManySheets: ({ max }) =>
    `the spreadsheet has more than ${numberText(max)} sheets; save the sheet as CSV`,
  tooManyStyles: "the spreadsheet has too many styles or sheets; save the sheet as CSV",
  tooMuchText: "the spreadsheet contains too much text; save the sheet as CSV",
  tooManySheetCells: ({ max }) =>
    `more than ${numberText(max)} cells, blank ones included; save the sheet as CSV`,
  sheetMissing: ({ name, sheets }) =>
    `the spreadsheet has no sheet ${shownName(name)}; its sheets are ${shownNames(sheets)}`,

  mappedColumnMissing: ({ name }) =>
    `the mapping uses the column ${shownName(name)}, which is not in the header`,
  columnsLeadToOne: ({ names: [one, other], path }) =>
    `the columns ${shownName(one)} and ${shownName(other)} are both mapped to ${path}. Remove one of them, or map it to null to leave it out`,
  unknownColumns: (unknown) =>
    `${unknownText(unknown)}. Rename the columns, map them, or ignore unknown columns`,
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
  targetShape: 'it must be a path, null, an object with "to" and "values", or a list of these',
  unknownMember: ({ name, known }) => `"${name}" is not one of ${quoted(known)}`,
  notOneOf: ({ member, choices }) => `"${member}" must be one of ${quoted(choices)}`,
  notTimePattern: ({ pattern }) =>
    `"time" must be a pattern such as "MM/dd/yyyy h:mm a" or "dd.MM.yyyy HH:mm:ss", or "unix", "unix-ms" or "serial", not ${JSON.stringify(pattern)}`,
  notNumberExample:
    '"number" must show how the file writes 1234.50, such as "1,234.50", "1.234,50", "$1,234.50", "1 234,50 \u20ac" or "1,234.50 %"',
  notWords: ({ member }) => `"${member}" must be a string or a list of strings`,
  notTrueOrFalse: ({ member }) => `"${member}" must be true or false`,
  wordTwice: ({ word }) => `"true" and "false" both list "${word}"`,
  notZone: ({ zone }) =>
    `"timeZone" must be a time zone such as America/Chicago, or location, not ${JSON.stringify(zone)}`,
  notColumn: '"with" must be the name of a column, or a list of names',
  withoutTime: '"with" combines date and time, so "time" must give the combined format',
  notText: ({ member }) => `"${member}" must be a string`,
  notScale: '"scale" must be a power of ten, such as "0.01" for cents',
  notTimeOfDay: '"timeOfDay" must be a time such as "00:00" or "23:59:59", or "refuse"',
  leaveOutShape: '"leaveOut" must be a list of objects with "column" and "values"',
  listTooLong: ({ member, maxItems }) => `"${member}" has more than ${numberText(maxItems)} entries`,
  questionShape:
    'each of "questions" must be an object with id, kind, code, data, text, rows, samples and choices',
  questionTwice: ({ id }) => `the question ${shownName(id)} appears twice`,
  unknownQuestion: ({ id }) => `"answers" has an answer to ${shownName(id)}, which is not a question`,
  notAnswers: '"answers" must be an object with an answer for each question',
  notChoice: ({ id, choices }) =>
    `the answer to ${shownName(id)} must be one of ${quoted(choices)}, or a part of a mapping file`,
  notPatch: ({ id }) => `the answer to ${shownName(id)} must not change questions or answers`,
  openQuestions: ({ ids }) =>
    `${ids.length === 1 ? "a question is" : `${numberText(ids.length)} questions are`} open: ${shownNames(ids)}. Answer ${ids.length === 1 ? "it" : "them"} in "answers", or confirm assumptions with "confirmAssumptions"`,
  fileShape: ({ known }) => `"file" may only have the members ${quoted(known)}`,
  notDelimiter: '"delimiter" must be a separator such as ";" or "\\t"',
  notQuote: '"quote" must be a quote character, or "" for none',
  notLine: '"headerLine" must be an integer, 1 or greater',
  notHeaderRows: '"headerRows" must be 0, 1 or 2',
  notSheet: '"sheet" must be the name of a sheet',
  unknownField: (name) => `unknown field: ${unknownNameText(name)}`,
  noFullName: ({ path }) => `"name" is for contact; ${shownName(path)} has no firstName and lastName`,
  noLocation: ({ path }) => `"location" is for locationUuid, not for ${shownName(path)}`,
  notForField: ({ member, path }) => `"${member}" cannot be used for ${shownName(path)}`,
  requiredField: ({ path }) =>
    `every record needs ${shownName(path)}, so "onProblem" cannot leave it out; leave out the rows with "leaveOut", or correct the values`,
  locationsNotKnown: '"location" needs the locations of the organization',
  constantTwice: ({ paths }) => `the constant ${shownNames(paths)} is set twice; keep one of them`,
  constantRefused: ({ path, problem }) =>
    `the constant ${shownName(path)}: ${messageOf(rowMessages.problems, problem)}`,
};

const raggedAdvice = "check for a missing quote around a cell that contains the separator";

function cellsText({ cells, columns }: FileRefusals["raggedRow"]): string {
  return `${cells} cells, but the header has ${columns} columns`;
}

export interface RowMessages {
  /** The problem without the value, so that it can be grouped. It follows the name of the field. */
  problems: Messages<RowRefusals>;
  /** How to resolve the problem. */
  advice: Partial<Messages<RowRefusals>>;
}

export const rowMessages: RowMessages = {
  problems: {
    raggedRow: cellsText,
    givenTwice: "is set twice; keep one of them",
    tooDeep: ({ path, maxDepth }) => `${shownName(path)} must not be nested deeper than ${maxDepth} levels`,
    unknownMembers: unknownText,
    namelessColumn: ({ name }) => `${name} has no name but contains values`,
    objectTooLarge: ({ maxMembers }) => `An object has more than ${numberText(maxMembers)} members`,
    objectsTooLarge: "The objects in the record are too large for this mapping",
    recordTooLarge: ({ maxBytes }) =>
      `The record is larger than ${sizeText(maxBytes)}, the limit of a record`,
    unknownLocation: ({ by }) => `is not the ${by} of a location of the organization`,
    ambiguousLocation: ({ by }) => `is the ${by} of several locations`,
    notNumber: ({ example }) => `does not have the format ${example}`,
    errorValue: "is an error of a spreadsheet, not a value",
    shortenedNumber: "is a number that a spreadsheet has shortened, so its last digits are lost",
    otherCalendar: ({ year }) => `is in the year ${year}, probably of another calendar`,
    notTime: ({ patterns }) => `is not a time in the format ${patterns.join(" or ")}`,
    ambiguousTime: ({ patterns }) => `matches more than one of ${patterns.join(", ")}`,
    undeclaredTime: ({ patterns }) =>
      patterns.length === 1 ? "is not in ISO 8601" : `can be read as ${patterns.join(" and as ")}`,
    zoneless: "has no time zone",
    noTimeOfDay: "is a date without a time",
    notValid: ({ message }) => message,
    skippedTime: ({ timeZone }) => `does not exist in ${timeZone}: it is skipped at the clock change`,
    repeatedTime: ({ timeZone }) => `occurs twice in ${timeZone} at the clock change`,
  },
  advice: {
    raggedRow: raggedAdvice,
    unknownMembers: "rename the members, map them, or ignore unknown columns",
    namelessColumn: ({ name }) => `map "${name}" to a field, or to null to leave it out`,
    errorValue: 'correct the cell, or list the word in "empty"',
    shortenedNumber: "format the column as text and export the file again",
    otherCalendar: 'if so, name it in the pattern of the time, such as "[buddhist]d/M/yyyy"',
    undeclaredTime: ({ patterns }) => `${ifWritten(patterns)}, set "time" in the mapping`,
    zoneless: 'set "timeZone" in the mapping',
    noTimeOfDay: 'set "timeOfDay" in the mapping, or join the column of the time with "with"',
  },
};

export function ifWritten(patterns: readonly string[]): string {
  return patterns.length === 1 ? `if its format is ${patterns[0]}` : "if the first is correct";
}

/** The problem and its resolution, as a sentence that follows the name of the field. */
export function problemText(problem: RowProblem, { problems, advice } = rowMessages): string {
  const text = messageOf(problems, problem);
  return problem.code in advice ? `${text}; ${messageOf(advice, problem)}` : text;
}

/** All problems of a row. */
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
  recordArray: ({ path }) => `with the records in ${shownName(path)}`,
  encoding: ({ encoding, words }) =>
    `in ${encodingNames[encoding]}${words.length === 0 ? "" : ` (a guess; check ${shownNames(words)})`}`,
  delimiter: ({ delimiter }) => `separated by ${delimiterNames[delimiter] ?? delimiter}`,
  quote: ({ quote }) => (quote === "" ? "without quoted cells" : `quoted with ${quote}`),
  headerLine: ({ line }) => `with the header in line ${line}`,
  twoHeaderRows: ({ line }) => `with a header of two rows from line ${line}`,
  headerless: ({ line }) => `without a header: line ${line} is a record, and the columns are numbered`,
  crossTab: ({ first, last }) =>
    `as a cross-tab: the columns ${shownName(first)} to ${shownName(last)} hold one value per period; make one row per value before the import`,
  hiddenRows: ({ count, line }) =>
    `with ${count === 1 ? "1 hidden row" : `${numberText(count)} hidden rows`}, which are read like the others: line ${line}${count === 1 ? "" : " and others"}`,
  mergedCells: ({ count, range }) =>
    `with cells that are merged over several rows, of which only the first row has the value: ${range}${count === 1 ? "" : ` and ${numberText(count - 1)} more`}`,
  unknownFormulas: ({ count, cell }) =>
    `with ${count === 1 ? "1 formula" : `${numberText(count)} formulas`} without a value: ${cell}${count === 1 ? "" : " and others"}. Open the file in a spreadsheet program and save it`,
  dates1904:
    'with dates that are counted from 1904. If a date is in a cell without a date format, use the time format "serial-1904"',
  setAside: ({ count, lines }) =>
    `with ${count === 1 ? "1 line" : `${numberText(count)} lines`} set aside as not a record: ${listed(
      lines.map(({ line, text }) => `line ${line} ${shownName(text)}`),
      count,
    )}`,
};

/** How a file is read; empty if nothing is unusual. */
export function readingText(facts: readonly ReadingFact[], messages = readingMessages): string {
  return facts.map((fact) => messageOf(messages, fact)).join(", ");
}

/** Each message follows the number of rows. */
export const findingMessages: Messages<Findings> = {
  rowsLeftOut: ({ column, word }) => `left out: "${column}" is "${word}"`,
  fieldLeftOut: ({ path }) => `without ${path}, because its value is not valid`,
  timesTwice: "with a local time that occurs twice at a clock change",
  datesWithoutTime: "with a date without a time, which becomes midnight",
  oldTime: ({ path }) => `with a ${path} before 1990`,
  futureTime: ({ path }) => `with a ${path} more than two years ahead`,
  exitBeforeEntry: ({ start, end }) => `with a ${end} before the ${start}`,
  longStay: ({ start, end }) => `with more than a year from ${start} to ${end}`,
  amountsNotPositive: ({ path, total }) => `with ${path} 0 or negative, of ${numberText(total)} rows`,
  severalCurrencies: ({ column, currencies }) =>
    `in different currencies: "${column}" is ${currencies.map(({ currency, rows }) => `${currency} (${numberText(rows)})`).join(", ")}`,
  placeholderPlate: ({ word }) => `with the plate "${word}", which seems to stand for a missing one`,
  hiddenCharacters: ({ path }) => `with spaces or invisible characters around or in ${path}`,
  lookalikeLetters: "with a plate in Cyrillic or Greek letters that look like Latin ones",
  idRepeated: "with the id and the values of an earlier row",
  idWithOtherValues: "with the id of an earlier row, but other values",
  idsNotCompared: ({ count }) =>
    `The ids after the first ${numberText(count)} are not compared with each other`,
  moreFindings: "There is more to report than is listed here",
};

/** What to do about a finding. */
export const findingAdvice: Messages<Findings> = {
  rowsLeftOut: 'If these rows are records, change "leaveOut" in the mapping.',
  fieldLeftOut: ({ path }) =>
    `If you need ${path} in these rows, correct the values in the file, or their format in the mapping.`,
  timesTwice: 'The earlier time was used. To use the later one, change "repeatedTimes" in the mapping.',
  datesWithoutTime: 'Join the column that has the time with "with", or set "timeOfDay" in the mapping.',
  oldTime: ({ path }) => `Check the format of ${path}. The year may have two digits.`,
  futureTime: ({ path }) => `Check the format of ${path}. Day and month may be swapped.`,
  exitBeforeEntry: ({ start, end }) =>
    `Check that ${start} and ${end} are not swapped and have the same time zone. If ${end} is only a time of day, set "after" in the mapping.`,
  longStay: ({ start, end }) => `Check the formats of ${start} and ${end}.`,
  amountsNotPositive: ({ path }) =>
    `Check that the right column is mapped to ${path}, and the sign of its amounts.`,
  severalCurrencies:
    "Amounts are stored without a currency. Convert them to one currency, or leave out the rows of the others.",
  placeholderPlate: ({ word }) => `If "${word}" is not a plate, add it to "empty" in the mapping.`,
  hiddenCharacters: ({ path }) =>
    `Texts that look equal may differ. To remove these characters from ${path}, set "trim" in the mapping.`,
  lookalikeLetters: "Such a plate is a different vehicle. Correct the plates, or tell the partner.",
  idRepeated: "Each record is stored once. You need to do nothing if the file repeats records.",
  idWithOtherValues:
    "Only the first of these rows is stored. If they are different records, map a column with unique values to the id, or join several columns.",
  idsNotCompared: "To compare all ids, split the file.",
  moreFindings: "Resolve the findings above, then check the file again.",
};

/** The finding with its rows and examples. */
export function findingText(finding: Finding, messages = findingMessages): string {
  const { rows, examples } = finding;
  const message = messageOf(messages, finding);
  if (rows === 0) return message;
  const places = examples.map(({ line, value, otherLine }) => {
    const held = value === undefined ? "" : `${shownValue(value)} in `;
    return `${held}line ${line}${otherLine === undefined ? "" : ` and line ${otherLine}`}`;
  });
  const such = rows > examples.length ? "such as " : "";
  return `${numberText(rows)} ${rows === 1 ? "row" : "rows"} ${message}: ${such}${places.join(", ")}`;
}

/** The first unknown names, each with a suggestion. */
export function unknownText({ names, count }: UnknownNames): string {
  return `unknown ${count === 1 ? "field" : "fields"}: ${listed(names.map(unknownNameText), count)}`;
}

function unknownNameText({ name, meant }: UnknownName): string {
  return `${shownName(name)}${meant === undefined ? "" : ` (did you mean ${meant}?)`}`;
}

const maxShownLength = 80;
export const maxShownNames = 10;

/** A name from a file, shortened if necessary. */
export function shownName(name: string): string {
  return `"${shortened(name)}"`;
}

function shownValue(value: string): string {
  return JSON.stringify(shortened(value));
}

/** A text of a file, shortened if necessary. */
export function shortened(text: string): string {
  return text.length > maxShownLength ? `${text.slice(0, maxShownLength)}...` : text;
}

export function shownNames(names: readonly string[]): string {
  return listed(names.slice(0, maxShownNames).map(shownName), names.length);
}

export function listed(shown: readonly string[], count: number): string {
  const more = count - shown.length;
  return more > 0 ? `${shown.join(", ")} and ${numberText(more)} more` : shown.join(", ");
}

function quoted(words: readonly string[]): string {
  return words.map((word) => `"${word}"`).join(", ");
}

export function delimiterText(delimiter: string): string {
  return delimiter === "\t" ? "a tab" : `"${delimiter}"`;
}

export function numberText(value: number): string {
  return value.toLocaleString("en");
}

/** Formats a limit in bytes. */
export function sizeText(bytes: number): string {
  return bytes < 1024 ** 3 ? `${Math.round(bytes / 1024 ** 2)} MB` : `${Math.round(bytes / 1024 ** 3)} GB`;
}
