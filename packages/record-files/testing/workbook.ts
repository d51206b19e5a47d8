import { crc32, deflateRawSync } from "node:zlib";

/** A ZIP archive of the given parts, compressed like spreadsheets by default. */
export function zipOf(
  parts: Readonly<Record<string, string | Buffer>>,
  { isStored = false }: { isStored?: boolean } = {},
): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(parts)) {
    const plain = Buffer.from(content as string);
    const packed = isStored ? plain : deflateRawSync(plain);
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(isStored ? 0 : 8, 4);
    facts.writeUInt32LE(crc32(plain), 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(plain.length, 18);
    facts.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([signature(0x04034b50), facts, Buffer.from(name), packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(
      Buffer.concat([signature(0x02014b50), Buffer.from([20, 0]), facts, rest, Buffer.from(name)]),
    );
    locals.push(local);
    offset += local.length;
  }
  const index = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(directory.length, 4);
  end.writeUInt16LE(directory.length, 6);
  end.writeUInt32LE(index.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, index, signature(0x06054b50), end]);
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

export interface SheetContent {
  name: string;
  isHidden?: boolean;
  /** The XML of the rows. */
  rows: string;
}

/** A spreadsheet as office programs write it. */
export function workbookOf(
  sheets: readonly SheetContent[],
  more: {
    shared?: readonly string[];
    formats?: readonly (number | string)[];
    is1904?: boolean;
    isStored?: boolean;
  } = {},
): Buffer {
  const { shared = [], formats = [0] } = more;
  const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const relations = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
  const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n';
  const codes = formats.flatMap((format, index) =>
    typeof format === "string" ? [{ id: 164 + index, format }] : [],
  );
  const parts = {
    "[Content_Types].xml": "<Types/>",
    "xl/workbook.xml": `${declaration}<workbook ${main} ${relations}><workbookPr date1904="${more.is1904 ? 1 : 0}"/><sheets>${sheets
      .map(
        ({ name, isHidden }, index) =>
          `<sheet name="${name}" sheetId="${index + 1}"${isHidden ? ' state="hidden"' : ""} r:id="rId${index + 1}"/>`,
      )
      .join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `${declaration}<Relationships>${sheets
      .map(
        (_, index) =>
          `<Relationship Id="rId${index + 1}" Type="worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
      )
      .join("")}</Relationships>`,
    "xl/styles.xml": `<styleSheet ${main}><numFmts>${codes
      .map(({ id, format }) => `<numFmt numFmtId="${id}" formatCode="${format}"/>`)
      .join("")}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${formats
      .map(
        (format, index) => `<xf numFmtId="${typeof format === "string" ? 164 + index : format}" fontId="0"/>`,
      )
      .join("")}</cellXfs></styleSheet>`,
    "xl/sharedStrings.xml": `<sst ${main}>${shared.map((text) => `<si>${text}</si>`).join("")}</sst>`,
    ...Object.fromEntries(
      sheets.map(({ rows }, index) => [
        `xl/worksheets/sheet${index + 1}.xml`,
        `${declaration}<worksheet ${main}><sheetData>${rows}</sheetData></worksheet>`,
      ]),
    ),
  };
  return zipOf(parts, more);
}
