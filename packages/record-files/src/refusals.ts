import type { Encoding } from "./encoding.js";
import type { AsideLine } from "./rows/set-aside.js";
import { fileMessages, mappingText, messageOf } from "./messages.js";

/**
 * Everything that is rejected or remarked, as a code with data. Each surface has a table of messages:
 * messages.ts for the console and uploads, packages/client/src/push/messages.ts for the command line.
 */
export type Coded<Kinds> = { [Code in keyof Kinds]: { code: Code; data: Kinds[Code] } }[keyof Kinds];

/** For codes without data. */
type Nothing = Record<never, never>;

/** Problems with the file itself or with how it is read. */
export interface FileRefusals {
  fileEmpty: Nothing;
  headerMissing: Nothing;
  noRecords: Nothing;
  columnNameless: { position: number };
  columnNamesTooLong: { maxLength: number };
  otherDelimiter: { header: string; delimiter: string };
  fixedWidth: { header: string };
  /** The header of another export in the middle of the file. */
  otherHeader: Nothing;
  raggedRow: { cells: number; columns: number };
  tooManyCells: { max: number };
  misplacedQuote: Nothing;
  openQuote: Nothing;
  /** In CSV, a long row usually has an unclosed quote. */
  rowTooLarge: { maxBytes: number; mayBeQuote?: true };

  notUtf8: Nothing;
  notInEncoding: { encoding: Encoding };
  mixedEncodings: Nothing;
  joinedFiles: Nothing;
  utf16: Nothing;
  gzip: Nothing;
  damagedGzip: { reason: string };
  zip: Nothing;
  pdf: Nothing;
  html: Nothing;
  xml: Nothing;
  oldSpreadsheet: Nothing;
  notSpreadsheet: Nothing;

  notJson: { reason: string };
  jsonExpected: { what: "comma" | "colon" | "memberName" | "commaOrEnd" };
  jsonOpen: Nothing;
  jsonFollowed: Nothing;
  arrayExpected: { name: string };
  arrayMissing: { name: string };
  severalArrays: { names: readonly string[]; name: string };

  spreadsheetDamaged: Nothing;
  spreadsheetEmpty: Nothing;
  spreadsheetTooLarge: { maxBytes: number };
  unpacksTooLarge: { maxBytes: number };
  partTooLarge: { part: string };
  tooManySheets: { max: number };
  tooManyStyles: Nothing;
  tooMuchText: Nothing;
  tooManySheetCells: { max: number };
  sheetMissing: { name: string; sheets: readonly string[] };

  mappedColumnMissing: { name: string };
  columnsLeadToOne: { names: readonly [string, string]; path: string };
  unknownColumns: UnknownNames;
}
export type FileRefusal = Coded<FileRefusals>;

/** An unknown name, and the field that was probably meant. */
export interface UnknownName {
  name: string;
  meant?: string;
}

/** The first unknown names and their total number. */
export interface UnknownNames {
  names: readonly UnknownName[];
  count: number;
}

/** Problems with a mapping, independent of the file. */
export interface MappingRefusals {
  mappingShape: { unknown?: string };
  targetShape: Nothing;
  unknownMember: { name: string; known: readonly string[] };
  notOneOf: { member: string; choices: readonly string[] };
  notTimePattern: { pattern: unknown };
  notNumberExample: Nothing;
  notWords: { member: string };
  notTrueOrFalse: { member: string };
  wordTwice: { word: string };
  notZone: { zone: unknown };
  notColumn: Nothing;
  withoutTime: Nothing;
  notText: { member: string };
  notScale: Nothing;
  notTimeOfDay: Nothing;
  leaveOutShape: Nothing;
  listTooLong: { member: string; maxItems: number };
  questionShape: Nothing;
  questionTwice: { id: string };
  unknownQuestion: { id: string };
  notAnswers: Nothing;
  notChoice: { id: string; choices: readonly string[] };
  notPatch: { id: string };
  openQuestions: { ids: readonly string[] };
  fileShape: { known: readonly string[] };
  notDelimiter: Nothing;
  notQuote: Nothing;
  notLine: Nothing;
  notHeaderRows: Nothing;
  notSheet: Nothing;
  unknownField: UnknownName;
  noFullName: { path: string };
  noLocation: { path: string };
  /** The member cannot be used for a field of this type. */
  notForField: { member: string; path: string };
  requiredField: { path: string };
  locationsNotKnown: Nothing;
  constantTwice: { paths: readonly string[] };
  constantRefused: { path: string; problem: RowRefusal };
}
export type MappingRefusal = Coded<MappingRefusals>;

/** Problems with one row, which therefore cannot be sent. */
export interface RowRefusals {
  raggedRow: { cells: number; columns: number };
  givenTwice: Nothing;
  tooDeep: { path: string; maxDepth: number };
  unknownMembers: UnknownNames;
  namelessColumn: { name: string };
  objectTooLarge: { maxMembers: number };
  objectsTooLarge: Nothing;
  recordTooLarge: { maxBytes: number };
  unknownLocation: { by: string };
  ambiguousLocation: { by: string };
  notNumber: { example: string };
  /** What a spreadsheet shows instead of a value. */
  errorValue: Nothing;
  /** 1.23457E+15, of which the other digits are lost. */
  shortenedNumber: Nothing;
  otherCalendar: { year: number };
  notTime: { patterns: readonly string[] };
  ambiguousTime: { patterns: readonly string[] };
  /** No time format was declared, and the value matches these. */
  undeclaredTime: { patterns: readonly string[] };
  zoneless: Nothing;
  noTimeOfDay: Nothing;
  /** The record check refuses the value. The message begins with the field. */
  notValid: { message: string };
  skippedTime: { timeZone: string };
  repeatedTime: { timeZone: string };
}
export type RowRefusal = Coded<RowRefusals>;

/** A problem and its position in the row. */
export type RowProblem = RowRefusal & {
  /** The field; "" for the whole row. */
  path: string;
  /** The source columns, if their names differ from the field. */
  columns?: readonly string[];
  /** The value in the file. */
  value?: string;
};

/** Unusual records of a file that can be sent. */
export interface Findings {
  rowsLeftOut: { column: string; word: string };
  fieldLeftOut: { path: string };
  /** Local times that occurred twice at a clock change. */
  timesTwice: Nothing;
  /** Dates that became midnight. */
  datesWithoutTime: Nothing;
  oldTime: { path: string };
  futureTime: { path: string };
  exitBeforeEntry: { start: string; end: string };
  longStay: { start: string; end: string };
  amountsNotPositive: { path: string; total: number };
  severalCurrencies: { column: string; currencies: readonly { currency: string; rows: number }[] };
  placeholderPlate: { word: string };
  hiddenCharacters: { path: string };
  lookalikeLetters: Nothing;
  /** The whole record is repeated. */
  idRepeated: Nothing;
  idWithOtherValues: Nothing;
  /** The file has more ids than are compared. */
  idsNotCompared: { count: number };
  moreFindings: Nothing;
}
export type FindingFacts = Coded<Findings>;

/** A finding, and the rows that it is about. */
export type Finding = FindingFacts & {
  rows: number;
  /** `otherLine` is the line of the earlier row with the same id. */
  examples: { line: number; value?: string; otherLine?: number }[];
};

/** Unusual facts that were detected about a file. */
export interface ReadingFacts {
  compressed: Nothing;
  format: { format: string };
  sheet: { name: string; count: number };
  /** The array of records inside a JSON object. */
  recordArray: { path: string };
  encoding: { encoding: Encoding; words: readonly string[] };
  delimiter: { delimiter: string };
  quote: { quote: string };
  headerLine: { line: number };
  twoHeaderRows: { line: number };
  headerless: { line: number };
  crossTab: { first: string; last: string };
  /** Spreadsheets only: what the rows do not show, with the first place. */
  hiddenRows: { count: number; line: number };
  mergedCells: { count: number; range: string };
  unknownFormulas: { count: number; cell: string };
  dates1904: Nothing;
  /** Lines that are not records; the first of them. */
  setAside: { count: number; lines: readonly AsideLine[] };
}
export type ReadingFact = Coded<ReadingFacts>;

/** Makes `data` optional for codes without data. */
export type DataArgument<Data> = Nothing extends Data ? [data?: Data] : [data: Data];

/** The file is rejected; nothing after this line can be trusted. */
export class InputError extends Error {
  override name = "InputError";
  readonly line: number;
  readonly refusal: FileRefusal;

  constructor(line: number, refusal: FileRefusal) {
    super(`line ${line}: ${messageOf(fileMessages, refusal)}`);
    this.line = line;
    this.refusal = refusal;
  }
}

export function inputError<Code extends keyof FileRefusals>(
  line: number,
  code: Code,
  ...[data]: DataArgument<FileRefusals[Code]>
): InputError {
  return new InputError(line, { code, data: data ?? {} } as FileRefusal);
}

/** The mapping is rejected. */
export class MappingError extends Error {
  override name = "MappingError";
  readonly refusal: MappingRefusal;
  /** The column whose entry is wrong. */
  readonly column: string | undefined;

  constructor(refusal: MappingRefusal, column?: string) {
    super();
    this.refusal = refusal;
    this.column = column;
    this.message = mappingText(this);
  }
}
