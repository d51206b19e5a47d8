export { cutRows, guessDelimiter, ofWidth, readCsv } from "./csv.js";
export { encodingNames, encodings, type Encoding } from "./encoding.js";
export { failureColumns, failurePrefix } from "./failure-columns.js";
export { gunzip } from "./gzip.js";
export { headerShape } from "./header-shape.js";
export { readNdjson } from "./ndjson.js";
export type { Pace } from "./pace.js";
export { formatOfExtension, inputFormats, readTable, type InputFormat } from "./read-table.js";
export { readingText, recognizeFile, type Reading, type ToldReading } from "./recognize.js";
export { checkRecord } from "./record/check.js";
export { enumValue } from "./record/convert.js";
export { readNumberFormat } from "./record/conversions/number-format.js";
export { readTimeFormat } from "./record/conversions/time-format.js";
export { fieldAt, fieldTrees, knownPaths, type Field } from "./record/fields.js";
export { isTimeZone } from "./record/local-time.js";
export { LocationBook } from "./record/locations.js";
export {
  emptyMapping,
  isDelimiter,
  locationHints,
  nameOrders,
  repeatedTimes,
  toMapping,
  type ColumnTarget,
  type Mapping,
  type RepeatedTimes,
} from "./record/mapping.js";
export { prepareAll, prepareRows, type Prepared, type PrepareOptions } from "./record/prepare.js";
export type { RowProblem } from "./record/problems.js";
export { readRules } from "./record/rules.js";
export { HeaderError, InputError, maxColumns, NotUtf8Error, type Row, type Table } from "./table.js";
export { readText } from "./text.js";
export { sampleColumns } from "./suggest/sample.js";
export { spellingOfNumbers, spellingOfTimes, type ColumnSample } from "./suggest/content.js";
export type { Remark } from "./suggest/remark.js";
export { suggestMapping, suggestTarget, type Suggestion } from "./suggest/suggest.js";
