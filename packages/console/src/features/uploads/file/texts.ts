import { pluralize } from "../../../core/ui/format.js";

export const texts = {
  title: "2. File format",
  description: (format: string, isCompressed: boolean, isOverridden: boolean) =>
    `${format}${isCompressed ? ", compressed with gzip" : ""}. ${isOverridden ? "You have changed some of these settings." : "These settings were detected."}`,
  detectAgain: "Detect again",
  detectedWrongly: "If a setting was not detected correctly, change it below.",
  encoding: "Encoding",
  delimiter: "Separator",
  quote: "Quotes",
  headerRow: "Header row",
  headerRows: "Rows of the header",
  headerRowCounts: ["No header", "One row", "Groups above names"],
  sheet: "Sheet",
  line: (line: number) => `Line ${line}`,
  row: (row: number) => `Row ${row}`,
  percentRead: (percent: number) => `The whole file is being read: ${percent} %.`,
  members: (names: number) =>
    `The members of each record are treated as columns. Found ${pluralize(names, "name")}.`,
  unreadable: (problem: string) => `The file cannot be read with these settings: ${problem}`,
  readerFailed: "The file reader could not be started. Reload the page.",
  formats: {
    csv: "CSV",
    ndjson: "JSON, one record per line",
    json: "JSON, a list of records",
    xlsx: "Spreadsheet (.xlsx)",
  },
  delimiters: { comma: "Comma", semicolon: "Semicolon", tab: "Tab", bar: "Vertical bar" },
  quotes: { double: 'Double quotes "', single: "Single quotes '", none: "None" },
};
