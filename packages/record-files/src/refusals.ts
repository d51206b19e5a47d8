import type { Encoding } from "./encoding.js";
import { fileMessages, mappingText, messageOf } from "./messages.js";

/**
 * Everything that is refused or remarked on here, as a code with its data. Each surface words it from a table by code:
 * messages.ts for the console and its uploads, packages/client/src/push/messages.ts for the command line.
 */
export type Coded<Kinds> = { [Code in keyof Kinds]: { code: Code; data: Kinds[Code] } }[keyof Kinds];

/** For a code that says all. */
type Nothing = Record<never, never>;

/** Something is wrong with the file itself, or with how it is to be read. */
export interface FileRefusals {
  fileEmpty: Nothing;
  headerMissing: Nothing;
  noRecords: Nothing;
  columnNameless: { position: number };
  columnTwice: { name: string };
  columnNamesTooLong: { maxLength: number };
  otherDelimiter: { header: string; delimiter: string };
  raggedRow: { cells: number; columns: number };
  tooManyCells: { max: number };
  misplacedQuote: Nothing;
  openQuote: Nothing;
  /** A quote that is not closed makes a long row; nothing else does in other formats. */
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
  oldSpreadsheet: Nothing;
  notSpreadsheet: Nothing;

  notJson: { reason: string };
  jsonExpected: { what: "comma" | "colon" | "memberName" | "commaOrEnd" };
  jsonOpen: Nothing;
  jsonFollowed: Nothing;
  arrayExpected: { name: string };
  arrayMissing: { name: string };

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

/** A name that no field has, and the field that was probably meant. */
export interface UnknownName {
  name: string;
  meant?: string;
}

/** The first of them, and how many there are. */
export interface UnknownNames {
  names: readonly UnknownName[];
  count: number;
}

/** Something is wrong with a mapping, whatever the file. */
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
  fileShape: { known: readonly string[] };
  notDelimiter: Nothing;
  notQuote: Nothing;
  notLine: Nothing;
  notSheet: Nothing;
  unknownField: UnknownName;
  noFullName: { path: string };
  noLocation: { path: string };
  locationsNotKnown: Nothing;
  constantTwice: { paths: readonly string[] };
  constantRefused: { path: string; problem: RowRefusal };
}
export type MappingRefusal = Coded<MappingRefusals>;

/** Something is wrong with one row, so that no record can be sent for it. */
export interface RowRefusals {
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
  notTime: { patterns: readonly string[] };
  ambiguousTime: { patterns: readonly string[] };
  /** No way to write times was given, and the value is written in one of these. */
  undeclaredTime: { patterns: readonly string[] };
  zoneless: Nothing;
  skippedTime: { timeZone: string };
  repeatedTime: { timeZone: string };
}
export type RowRefusal = Coded<RowRefusals>;

/** What is wrong with a row, and where. */
export type RowProblem = RowRefusal & {
  /** The field; "" if it is about the row as a whole. */
  path: string;
  /** The columns that the field gets its value from, where they are called otherwise. */
  columns?: readonly string[];
  /** What was in the file. */
  value?: string;
};

/** What the owner of a file has to know, or to decide, about a draft of a mapping. */
export interface Remarks {
  emptyWords: { words: readonly string[] };
  /** Two columns are named like one field. */
  contested: { columns: readonly string[]; path: string };
  /** A column is named like a field, and not all that it holds can go there. */
  misfit: { columns: readonly string[]; path: string; values: readonly string[]; isKept: boolean };
  ambiguousTimes: { column: string; value: string; readings: readonly string[] };
  ambiguousNumbers: { column: string; value: string; readings: readonly string[] };
  unknownValues: { column: string; values: readonly string[]; names: readonly string[] };
  unknownLocations: { column: string; values: readonly string[] };
  keyRepeated: { column: string; path: string };
  namesAlone: { columns: readonly string[] };
  cardNumbers: { column: string };
  zoneOfLocation: { columns: readonly string[] };
  zoneAsked: { columns: readonly string[] };
  requiredMissing: { paths: readonly string[] };
}
export type Remark = Coded<Remarks>;

/** What was recognized of a file and is not what everybody expects. */
export interface ReadingFacts {
  compressed: Nothing;
  format: { format: string };
  sheet: { name: string; count: number };
  encoding: { encoding: Encoding };
  delimiter: { delimiter: string };
  quote: { quote: string };
  headerLine: { line: number };
}
export type ReadingFact = Coded<ReadingFacts>;

/** The data may be left out where there is none. */
export type DataArgument<Data> = Nothing extends Data ? [data?: Data] : [data: Data];

/** The file is refused, so nothing of it can be trusted from this line on. */
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

/** The mapping is refused. */
export class MappingError extends Error {
  override name = "MappingError";
  readonly refusal: MappingRefusal;
  /** The column whose entry it is about. */
  readonly column: string | undefined;

  constructor(refusal: MappingRefusal, column?: string) {
    super();
    this.refusal = refusal;
    this.column = column;
    this.message = mappingText(this);
  }
}
