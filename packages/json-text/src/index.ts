export {
  closeBrace,
  closeBracket,
  colon,
  comma,
  openBrace,
  openBracket,
  quote,
  skipSpace,
} from "./characters.js";
export { checkJson, checkJsonInTurns, isJson } from "./check-json.js";
export {
  exactJson,
  exactJsonText,
  isExactJson,
  jsonLine,
  stringifyExactly,
  type ExactJson,
} from "./exact-json.js";
export { JsonRecord } from "./json-record.js";
export type { WantedNames } from "./large-record.js";
export { MalformedJson } from "./malformed-json.js";
export { memberTexts } from "./member-texts.js";
export type { Budget } from "./pacing.js";
export { readList, type ListOptions, type RecordList } from "./read-list.js";
export { findValue, isLarge, readLargeRecord, readRecord, readWhole } from "./read-record.js";
export { scanMembers, scanValue, TooManyMembers, type Span } from "./scan.js";
export { beginScan, finishScan, scanOn, type ValueScan } from "./value-scan.js";
