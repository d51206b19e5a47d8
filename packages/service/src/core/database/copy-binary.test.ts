import { expect, test } from "vitest";
import fc from "../../../../../testing/properties.js";
import { useApp } from "../../../testing/harness.js";
import { columnTypes } from "../entities/columns.js";
import { storedEntities } from "../entities/entities.js";
import { BinaryRows } from "./copy-binary.js";
import { copyInto } from "./copy-rows.js";
import { PipelineQueue } from "./pipeline-queue.js";

const gatehouse = useApp();

/** Stores each value by COPY next to the same value parsed by PostgreSQL, and returns the differences. */
async function misread<Value>(
  type: string,
  values: readonly Value[],
  add: (rows: BinaryRows, value: Value) => void,
  spelled: (value: Value) => string,
): Promise<unknown[]> {
  const client = await gatehouse.database.work.connect();
  try {
    await client.query(`create temp table given (number integer, content ${type})`);
    const rows = new BinaryRows(2);
    for (const [number, value] of values.entries()) {
      rows.begin();
      rows.addInteger(number);
      add(rows, value);
      rows.end();
    }
    await new PipelineQueue(client).send(copyInto("given", ["number", "content"], rows));
    const { rows: differing } = await client.query(
      `select spelled.content as sent, given.content::text as stored
       from unnest($1::text[]) with ordinality as spelled (content, ordinal)
       left join given on given.number = ordinal - 1
       where given.content::text is distinct from spelled.content::${type}::text`,
      [values.map(spelled)],
    );
    return differing;
  } finally {
    client.release(true);
  }
}

test("texts of every size and alphabet are stored unchanged", async () => {
  // Around the message size and the size limit for writing without Buffer.
  const lengths = [0, 1, 39, 40, 41, 20_000, 21_844, 21_845, 21_846, 65_530, 65_536, 200_000];
  const characters = ["a", "é", "€", "😀", "\\", "\t", "\n", "\u007f", "\u0080"];
  const texts = characters.flatMap((character) => lengths.map((length) => character.repeat(length)));
  const misreads = await misread(
    "text",
    texts,
    (rows, text) => rows.addText(text),
    (text) => text,
  );
  expect(misreads.length).toBe(0);
});

test("a text of several megabytes uses no more memory than its bytes", () => {
  const rows = new BinaryRows(1);
  const text = "a".repeat(1_000_000);
  rows.begin();
  rows.addText(text);
  rows.end();
  const held = [...rows.messages()].map(({ buffer }) => buffer.byteLength);
  expect(Math.max(...held)).toBeLessThan(text.length + 100);
});

test("amounts are stored as PostgreSQL parses them, with all decimal places", async () => {
  const digits = (min: number, max: number) =>
    fc.string({ unit: fc.constantFrom(..."0123456789"), minLength: min, maxLength: max });
  const whole = fc.oneof(
    fc.constant("0"),
    digits(1, 14).map((text) => text.replace(/^0+(?=\d)/, "")),
  );
  const spelling = fc
    .tuple(
      fc.constantFrom("", "-"),
      whole,
      fc.option(digits(1, 12)),
      fc.option(fc.integer({ min: -20, max: 8 })),
    )
    .map(([sign, before, after, exponent]) =>
      [sign, before, after === null ? "" : `.${after}`, exponent === null ? "" : `e${exponent}`].join(""),
    );
  const drawn = fc.sample(spelling, 3_000);
  const chosen = [
    ...["0", "-0", "0.00", "1", "-1", "12.5", "12.50", "9999", "10000", "100000000", "0.0001", "0.00001"],
    ...["1e3", "1E+3", "1.5e-3", "99999999.9999", "0.10000", `0.${"0".repeat(16_382)}1`, "123456789012345"],
  ];
  const misreads = await misread(
    "numeric",
    [...chosen, ...drawn],
    (rows, text) => rows.addNumeric(text),
    (text) => text,
  );
  expect(misreads).toEqual([]);
});

test("timestamps and dates are stored as PostgreSQL parses them, from year 0 to year 10000", async () => {
  const first = Date.parse("0000-01-01T00:00:00.000Z");
  const last = Date.parse("9999-12-31T23:59:59.999Z");
  const drawn = fc.sample(fc.integer({ min: first, max: last }), 2_000);
  const year2000 = Date.UTC(2000, 0, 1);
  const moments = [first, last, 0, -1, year2000, year2000 - 1, year2000 + 1, ...drawn];
  const spelled = (moment: number): string => {
    const [, year = "", rest = ""] = /^(\+?-?\d+)(-.*)$/.exec(new Date(moment).toISOString()) ?? [];
    return Number(year) > 0 ? `${Number(year).toString().padStart(4, "0")}${rest}` : `0001${rest} BC`;
  };
  const addTimestamp = (rows: BinaryRows, moment: number) => rows.addTimestamp(moment);
  expect(await misread("timestamptz", moments, addTimestamp, spelled)).toEqual([]);
  const dayAfter = Date.parse("+010000-01-01T00:00:00.000Z");
  const addDate = (rows: BinaryRows, moment: number) => rows.addDate(moment);
  expect(await misread("date", [...moments, dayAfter], addDate, spelled)).toEqual([]);
});

test("identifiers, bytes, numbers, flags and nulls are stored unchanged", async () => {
  const uuids = ["00000000-0000-0000-0000-000000000000", "ffffffff-FFFF-7fff-bfff-0123456789AB"];
  const text = (value: unknown) => String(value);
  expect(await misread("uuid", uuids, (rows, uuid) => rows.addUuid(uuid), text)).toEqual([]);
  const encoded = (rows: BinaryRows, uuid: string) =>
    rows.addEncoded(BinaryRows.encoded((row) => row.addUuid(uuid)));
  expect(await misread("uuid", uuids, encoded, text)).toEqual([]);
  const bytes = ["", "00ff7f80", "0123456789abcdef"];
  const escaped = (hex: string) => String.raw`\x${hex}`;
  expect(await misread("bytea", bytes, (rows, hex) => rows.addBytes(hex), escaped)).toEqual([]);
  const integers = [0, 1, -1, 255, 256, 2 ** 31 - 1, -(2 ** 31)];
  expect(await misread("integer", integers, (rows, value) => rows.addInteger(value), text)).toEqual([]);
  const smallints = [0, 1, -1, 255, 256, 2 ** 15 - 1, -(2 ** 15)];
  expect(await misread("smallint", smallints, (rows, value) => rows.addSmallint(value), text)).toEqual([]);
  expect(await misread("boolean", [true, false], (rows, value) => rows.addFlag(value), text)).toEqual([]);
});

test("a row with a wrong number of values is rejected before it is sent", () => {
  const rows = new BinaryRows(2);
  rows.begin();
  rows.addNull();
  expect(() => rows.end()).toThrow("as many values");
  rows.addNull();
  expect(() => rows.addNull()).toThrow("as many values");
});

const misfits: [what: string, add: (rows: BinaryRows) => void][] = [
  ["an integer that is too large", (rows) => rows.addInteger(2 ** 31)],
  ["half an integer", (rows) => rows.addInteger(1.5)],
  ["a smallint that is too small", (rows) => rows.addSmallint(-(2 ** 15) - 1)],
  ["no moment", (rows) => rows.addTimestamp(Number.NaN)],
  ["no day", (rows) => rows.addDate(Number.NaN)],
  ["no number", (rows) => rows.addNumeric("1.2.3")],
  ["no number with an exponent", (rows) => rows.addNumeric("one")],
  ["no identifier", (rows) => rows.addUuid("0198f2d0-5c1e-7a30-9b5e-2f6d1c7a9e1g")],
  ["a short identifier", (rows) => rows.addUuid("0198f2d0")],
  ["digits of another script", (rows) => rows.addBytes("٠٠")],
  // Their character codes equal those of "0" and "a" except for higher bits.
  ["letters that look like digits from below", (rows) => rows.addBytes("\u{1b0}\u{e1}")],
];
test.each(misfits)(
  "a value of the wrong type is rejected and never stored as another value: %s",
  (_, add) => {
    const rows = new BinaryRows(1);
    rows.begin();
    expect(() => add(rows)).toThrow(RangeError);
  },
);

test("every column has the type of its encoding", async () => {
  for (const { table, columns } of storedEntities) {
    const { rows } = await gatehouse.database.work.query<{ name: string; type: string }>(
      `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
       where attrelid = $1::regclass and attnum > 0`,
      [table],
    );
    const types = new Map(rows.map(({ name, type }) => [name, type]));
    for (const { name, kind } of columns) expect(types.get(name), `${table}.${name}`).toBe(columnTypes[kind]);
  }
});
