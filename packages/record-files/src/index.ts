export { cutRows, guessDelimiter, ofWidth } from "./csv.js";
export { encodingNames, encodings, type Encoding } from "./encoding.js";
export { gunzip } from "./gzip.js";
export { headerShape } from "./header/header-shape.js";
export type { ReadScheduler } from "./scheduler.js";
export {
  formatExtension,
  formatOfExtension,
  inputFormats,
  readingOfName,
  readTable,
  type InputFormat,
} from "./read-table.js";
export * from "./messages.js";
export { readingFacts, recognizeFile, recognizeLater, type Reading, type KnownReading } from "./recognize.js";
export * from "./refusals.js";
export { checkFile, type CheckOptions, type FileCheck, type ProblemGroup } from "./record/check-file.js";
export { checkRecord, messageAfterPath } from "./record/check.js";
export { enumValue } from "./record/convert.js";
export { readNumberFormat } from "./record/conversions/number-format.js";
export { readTimeFormat } from "./record/conversions/time-format.js";
export { fieldAt, fieldTrees, knownPaths, type Field } from "./record/fields.js";
export { FileFindings } from "./record/findings/file-findings.js";
export { isTimeZone } from "./record/local-time.js";
export { LenientLocations, LocationIndex, unknownLocation, zoneFor } from "./record/locations.js";
export { locationHints } from "./record/column-target.js";
export { nameOrders } from "./record/full-name.js";
export {
  emptyMapping,
  isDelimiter,
  needsLocations,
  openQuestions,
  repeatedTimes,
  requireAnswers,
  toMapping,
  type Mapping,
  type RepeatedTimes,
} from "./record/mapping.js";
export { mergePatches, type MappingContent } from "./record/merge-patch.js";
export { prepareAll, prepareRows, type Prepared, type PrepareOptions } from "./record/prepare.js";
export { applyAnswers, type MappingQuestion, type QuestionChoice } from "./record/questions.js";
export type { FilterMatch } from "./record/row-filter.js";
export { readRules } from "./record/rules.js";
export { failureColumns, failurePrefix, maxColumns, type Row, type Table } from "./table.js";
export { setAsideCount } from "./rows/set-aside.js";
export { readText } from "./text.js";
export { columnSamples, profileOfSamples, type ColumnSample } from "./suggest/profile/column-sample.js";
export { profileRows, profileTable, type FileProfile } from "./suggest/profile/profile.js";
export {
  decidingValues,
  type ColumnProfile,
  type ShapeCount,
  type ValueCount,
} from "./suggest/profile/column-profile.js";
export { columnRange, type ColumnRange } from "./suggest/profile/column-range.js";
export type { SampledRow } from "./suggest/profile/row-sampler.js";
export { numberReadings, timeReadingsOf } from "./suggest/content/readings.js";
export {
  mappingWithQuestions,
  suggestAndCheck,
  suggestMapping,
  suggestTarget,
  type SuggestedMapping,
  type Suggestion,
} from "./suggest/suggest.js";
