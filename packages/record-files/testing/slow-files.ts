import { gzipSync } from "node:zlib";
import { fieldTrees, knownPaths } from "../src/record/fields.js";
import { workbookOf, zipOf } from "./workbook.js";

/** A scalable file that would slow down a careless reader. */
export interface SlowFile {
  name: string;
  /** About `size` bytes, decompressed. */
  of(size: number): Buffer;
}

const filled = (size: number, piece: string): string => piece.repeat(Math.ceil(size / piece.length));
const text = (name: string, of: (size: number) => string): SlowFile => ({
  name,
  of: (size) => Buffer.from(of(size)),
});

const header = "transactionId,type\n";
const paths = knownPaths(fieldTrees.transactions);

/** One row with a long cell for every field, so that every conversion gets one. */
function longCells(size: number, piece: string): string {
  const cell = filled(size / paths.length, piece);
  return `${paths.join(",")}\n${paths.map(() => cell).join(",")}\n`;
}

export const slowTexts: readonly SlowFile[] = [
  text("CSV: a quoted cell that does not end", (size) => `${header}"${filled(size, "x,\n")}`),
  text("CSV: one giant cell", (size) => `${header}${filled(size, "x")},1\n`),
  text("CSV: doubled quotes", (size) => `${header}"${filled(size, '""')}",1\n`),
  text("CSV: rows of two cells", (size) => header + filled(size, "1,2\n")),
  text(
    "CSV: blank cells behind the last column",
    (size) => header + filled(size, `1,2${",".repeat(16_000)}\n`),
  ),
  text("CSV: empty lines", (size) => header + filled(size, "\n")),
  text("CSV: carriage returns", (size) => header + filled(size, "\r")),
  text("CSV: spaces before a quote", (size) => `${header}${filled(size, " ")}"1",2\n`),
  text("CSV: letters beyond ASCII", (size) => `${header}${filled(size, "é€")},1\n`),
  text("CSV: a long header", (size) => filled(size, "x")),
  text("CSV: long cells of digits in every field", (size) => longCells(size, "1")),
  text("CSV: long cells of spaces in every field", (size) => longCells(size, " ")),
  text("CSV: long cells of dates in every field", (size) => longCells(size, "2026-01-01 10:00 ")),
  text("CSV: long cells of separators in every field", (size) => longCells(size, ".-/:;")),
  {
    name: "CSV: UTF-16",
    of: (size) => Buffer.from(`\ufeff${header}${filled(size / 2, "1,2\n")}`, "utf16le"),
  },
  {
    name: "CSV: Windows-1252",
    of: (size) => Buffer.from(`${header}${filled(size, "a\xe9b,2\n")}`, "latin1"),
  },
  text("NDJSON: a line that does not end", (size) => `{}\n{"a":"${filled(size, "x")}`),
  text("NDJSON: nested lists", (size) => `{}\n{"a":${"[".repeat(size / 2)}${"]".repeat(size / 2)}}\n`),
  text("NDJSON: brackets that do not close", (size) => `{}\n{"a":${filled(size, "[")}`),
  text("NDJSON: blank lines", (size) => `{}\n${filled(size, "\n")}`),
  text("NDJSON: small records", (size) => filled(size, '{"type":1}\n')),
  text("NDJSON: escapes", (size) => `{}\n{"a":"${filled(size, String.raw`\"\\`)}"}\n`),
  text("NDJSON: a long number", (size) => `{}\n{"amountTotal":1${filled(size, "0")}}\n`),
  text("NDJSON: members", (size) => `{}\n{${filled(size, '"a":{"b":1},')}"c":1}\n`),
  text("JSON: nested lists", (size) => `[${"[".repeat(size / 2)}${"]".repeat(size / 2)}]`),
  text("JSON: brackets that do not close", (size) => filled(size, "[")),
  text("JSON: a string that does not end", (size) => `["${filled(size, "x")}`),
  text("JSON: escapes", (size) => `[{"a":"${filled(size, String.raw`\"\\`)}"}]`),
  text("JSON: space", (size) => `[${filled(size, " \n")}{}]`),
  text("JSON: small records", (size) => `[${filled(size, "{},")}{}]`),
  text("JSON: members before the records", (size) => `{${filled(size, '"a":1,')}"transactions":[]}`),
  text("JSON: a long word", (size) => `[${filled(size, "1")}]`),
];

const packed = (name: string, of: (size: number) => string): SlowFile => ({
  name: `gzip: ${name}`,
  of: (size) => gzipSync(of(size)),
});

const packedTexts: readonly SlowFile[] = [
  packed("zeros", (size) => filled(size, "\0")),
  packed("a quoted cell that does not end", (size) => `${header}"${filled(size, "x")}`),
  packed("rows", (size) => header + filled(size, "1,2\n")),
  packed("nested lists", (size) => `[${"[".repeat(size / 2)}${"]".repeat(size / 2)}]`),
  {
    name: "gzip: many empty members",
    of: (size) => {
      const empty = gzipSync("");
      return Buffer.concat([gzipSync(header), ...Array.from({ length: size / 20 }, () => empty)]);
    },
  },
];

const sheet = (rows: string) => workbookOf([{ name: "Sheet", rows }]);
const inSheet = (name: string, of: (size: number) => string): SlowFile => ({
  name: `spreadsheet: ${name}`,
  of: (size) => sheet(of(size)),
});
const cell = (content: string) => `<c t="inlineStr"><is><t>${content}</t></is></c>`;
const table = `<row>${cell("transactionId")}${cell("type")}</row>`;

/** Fragments of a sheet; also parsed in tiny pieces. */
export const slowSheets: readonly { name: string; xml(size: number): string }[] = [
  { name: "a comment that does not end", xml: (size) => `<!--${filled(size, "x-")}` },
  { name: "a comment of brackets", xml: (size) => `<!--${filled(size, "<>")}-->` },
  { name: "many comments", xml: (size) => filled(size, "<!---->") },
  { name: "an attribute that does not end", xml: (size) => `<row r="${filled(size, "1")}` },
  { name: "a long cell reference", xml: (size) => `<row><c r="${filled(size, "A")}"/></row>` },
  { name: "a long row number", xml: (size) => `<row r="${filled(size, "0")}1"/>` },
  { name: "line breaks in an attribute", xml: (size) => `<row r="${filled(size, "\n")}1"/>` },
  { name: "a name that does not end", xml: (size) => `<${filled(size, "x")}` },
  { name: "space in a tag", xml: (size) => `<row${filled(size, " ")}/>` },
  { name: "a reference that does not end", xml: (size) => `<row><c><v>&${filled(size, "x")}` },
  { name: "references", xml: (size) => `<row><c t="str"><v>${filled(size, "&amp;")}</v></c></row>` },
  { name: "references in an attribute", xml: (size) => `<row><c s="${filled(size, "&lt;")}"/></row>` },
  { name: "a processing instruction", xml: (size) => `<?x ${filled(size, "?")}` },
  { name: "CDATA of brackets", xml: (size) => `<row><c t="str"><v><![CDATA[${filled(size, "]")}` },
  { name: "many pieces of CDATA", xml: (size) => `<row><c t="str"><v>${filled(size, "<![CDATA[x]]>")}` },
  { name: "a document type", xml: (size) => `<!DOCTYPE x [${filled(size, "<!ENTITY a 'b'>")}` },
  { name: "a giant cell", xml: (size) => table + `<row>${cell(filled(size, "x"))}${cell("1")}</row>` },
  { name: "a cell of line breaks", xml: (size) => table + `<row>${cell(filled(size, "\r\n"))}</row>` },
  { name: "elements and no row", xml: (size) => filled(size, "<x/>") },
  { name: "nested elements", xml: (size) => filled(size, "<x>".repeat(200) + "</x>".repeat(200)) },
  { name: "empty rows", xml: (size) => table + filled(size, "<row/>") },
  { name: "rows of one cell", xml: (size) => table + filled(size, `<row>${cell("1")}</row>`) },
  {
    name: "tags of many attributes",
    xml: (size) =>
      filled(size, `<x ${Array.from({ length: 250 }, (_, index) => `a${index}=""`).join(" ")}/>`),
  },
];

const slowWorkbooks: readonly SlowFile[] = [
  ...slowSheets.map(({ name, xml }) => inSheet(name, xml)),
  // A few bytes create many cells, so there are fewer of them.
  inSheet("blank cells", (size) => table + filled(size / 1_000, '<row><c r="XFD"/></row>')),
  {
    name: "spreadsheet: shared texts",
    of: (size) =>
      workbookOf([{ name: "Sheet", rows: table }], {
        shared: Array.from({ length: size / 20 }, () => "<t>x</t>"),
      }),
  },
  {
    name: "spreadsheet: pieces of a shared text",
    of: (size) => workbookOf([{ name: "Sheet", rows: table }], { shared: [filled(size, "<r><t>x</t></r>")] }),
  },
  {
    name: "spreadsheet: styles",
    of: (size) =>
      workbookOf([{ name: "Sheet", rows: table }], {
        formats: Array.from({ length: size / 100 }, () => '[Red]"x"_-yyyy'),
      }),
  },
  {
    name: "spreadsheet: sheets without rows",
    of: (size) =>
      workbookOf(
        Array.from({ length: 20 }, (_, index) => ({
          name: `Sheet ${index}`,
          rows: filled(size / 20, "<x/>"),
        })),
      ),
  },
  {
    name: "spreadsheet: parts in the archive",
    of: (size) =>
      zipOf(
        Object.fromEntries(
          Array.from({ length: Math.min(9_999, size / 200) }, (_, index) => [`p${index}`, ""]),
        ),
        { isStored: true },
      ),
  },
  {
    name: "spreadsheet: long names of parts",
    of: (size) =>
      zipOf(
        Object.fromEntries(
          Array.from({ length: size / 4_000 }, (_, index) => [`${index}${"x".repeat(2_000)}`, ""]),
        ),
        { isStored: true },
      ),
  },
];

export const slowArchives: readonly SlowFile[] = [...packedTexts, ...slowWorkbooks];
