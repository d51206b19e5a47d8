import { expect, test } from "vitest";
import fc from "../../../../testing/properties.js";
import { amount } from "../../../../testing/rig.js";
import { workbookOf, zipOf } from "../../testing/workbook.js";
import { readTable } from "../read-table.js";
import { recognizeFile } from "../recognize.js";
import { InputError } from "../refusals.js";

const numRuns = amount(150, 5_000);

const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
const rows = [
  `<row r="1">${cell("id")}${cell("name")}<c r="C1" t="s"><v>0</v></c></row>`,
  `<row r="2">${cell("1")}${cell("Jo &amp; Al")}<c r="C2" s="1"><v>46113.5</v></c></row>`,
  '<row r="3"><c r="A3"><v>2</v></c><c r="B3" t="b"><v>1</v></c><!-- x --><c r="C3" t="str"><v><![CDATA[y]]></v></c></row>',
].join("");
const sample = workbookOf([{ name: "Sessions", rows }], { shared: ["<t>At</t>"], formats: [0, 22] });

/** Reads the whole file and returns the number of rows or the error message. Any other exception is a bug. */
async function outcomeOf(bytes: Uint8Array): Promise<number | string> {
  async function* once(): AsyncGenerator<Uint8Array> {
    yield bytes;
  }
  try {
    const { reading, chunks } = await recognizeFile(once(), { format: "xlsx" });
    const table = await readTable(chunks, { ...reading, arrayName: "transactions" });
    let count = 0;
    for await (const row of table.rows) {
      expect(row.cells).toHaveLength(table.columns.length);
      count += 1;
    }
    return count;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return error.message;
  }
}

async function expectOutcome(bytes: Uint8Array): Promise<void> {
  const outcome = await outcomeOf(bytes);
  expect(typeof outcome === "number" || outcome.startsWith("line ")).toBe(true);
}

test("the unmodified sample is read", async () => {
  expect(await outcomeOf(sample)).toBe(2);
});

/** Replaces some bytes by the same number, fewer or more. */
const change = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  removed: fc.nat(40),
  added: fc.uint8Array({ maxLength: 40 }),
});

function changed(
  bytes: Uint8Array,
  changes: readonly { at: number; removed: number; added: Uint8Array }[],
): Buffer {
  let result = Buffer.from(bytes);
  for (const { at, removed, added } of changes) {
    const start = Math.floor(at * result.length);
    result = Buffer.concat([result.subarray(0, start), added, result.subarray(start + removed)]);
  }
  return result;
}

test("an archive with changed bytes is read or rejected", async () => {
  const changes = fc.array(change, { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(changes, (all) => expectOutcome(changed(sample, all))),
    { numRuns },
  );
});

test("an archive with arbitrary numbers in its directory is read or rejected", async () => {
  const directoryAt = sample.indexOf("PK\u0001\u0002");
  const number = fc.record({
    at: fc.integer({ min: directoryAt, max: sample.length - 4 }),
    value: fc.oneof(fc.nat(0xffffffff), fc.constantFrom(0, 1, 8, 0xffff, 0xffffffff, 0x80000000)),
    isLong: fc.boolean(),
  });
  const property = fc.asyncProperty(fc.array(number, { minLength: 1, maxLength: 3 }), async (numbers) => {
    const bytes = Buffer.from(sample);
    for (const { at, value, isLong } of numbers)
      if (isLong) bytes.writeUInt32LE(value, at);
      else bytes.writeUInt16LE(value & 0xffff, at);
    await expectOutcome(bytes);
  });
  await fc.assert(property, { numRuns });
});

const parts = {
  "xl/workbook.xml": '<workbook xmlns:r="r"><sheets><sheet name="A" r:id="rId1"/></sheets></workbook>',
  "xl/_rels/workbook.xml.rels":
    '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
  "xl/styles.xml": '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="22"/></cellXfs></styleSheet>',
  "xl/sharedStrings.xml": "<sst><si><t>At</t></si></sst>",
  "xl/worksheets/sheet1.xml": `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
};
const names = Object.keys(parts) as (keyof typeof parts)[];

/** XML tokens, so that mutations reach beyond the first character. */
const word = fc.constantFrom(
  ...[
    "<",
    ">",
    "</",
    "/>",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "<?",
    "?>",
    "<!DOCTYPE x>",
    "&",
    ";",
    "&amp;",
    "&#0;",
  ],
  ...[
    '"',
    "'",
    "=",
    " ",
    "<row>",
    "</row>",
    "<c>",
    "</c>",
    "<v>",
    "</v>",
    "<t>",
    'r="XFD1"',
    'r="1e9"',
    't="s"',
  ],
  ...[
    's="-1"',
    "<si>",
    "\0",
    "\ufeff",
    "\u{10ffff}",
    "-1",
    "1e999",
    "NaN",
    "__proto__",
    "constructor",
    "toString",
  ],
);

test("a spreadsheet with arbitrary document content is read or rejected", async () => {
  const edit = fc.record({
    name: fc.constantFrom(...names),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    removed: fc.nat(12),
    added: fc.array(word, { maxLength: 4 }),
  });
  const property = fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 4 }), async (edits) => {
    const edited: Record<string, Buffer> = {};
    for (const name of names) {
      const changes = edits
        .filter((each) => each.name === name)
        .map(({ at, removed, added }) => ({ at, removed, added: Buffer.from(added.join("")) }));
      edited[name] = changed(Buffer.from(parts[name]), changes);
    }
    await expectOutcome(zipOf(edited));
  });
  await fc.assert(property, { numRuns });
});
