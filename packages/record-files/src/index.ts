export { cutRows, guessDelimiter, ofWidth, readCsv } from "./csv.js";
export { encodings, type Encoding } from "./encoding.js";
export { failureColumns, failurePrefix } from "./failure-columns.js";
export { gunzip } from "./gzip.js";
export { readNdjson } from "./ndjson.js";
export { formatOfExtension, inputFormats, readTable, type InputFormat } from "./read-table.js";
export { readingText, recognizeFile, type Reading, type ToldReading } from "./recognize.js";
export { fieldAt, fieldTrees, knownPaths } from "./record/fields.js";
export { isTimeZone } from "./record/local-time.js";
export { LocationBook } from "./record/locations.js";
export {
  emptyMapping,
  isDelimiter,
  repeatedTimes,
  toMapping,
  type ColumnTarget,
  type Mapping,
  type RepeatedTimes,
} from "./record/mapping.js";
export { prepareAll, prepareRows, type Prepared, type PrepareOptions } from "./record/prepare.js";
export type { RowProblem } from "./record/problems.js";
export { readRules } from "./record/rules.js";
export { HeaderError, InputError, NotUtf8Error, type Row, type Table } from "./table.js";
export { readText } from "./text.js";
export { sampleColumns } from "./suggest/sample.js";
export { suggestMapping, type Suggestion } from "./suggest/suggest.js";
