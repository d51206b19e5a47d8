/** Hostile values. Texts are for URLs and for strings in bodies; fragments are any JSON. */
const longText = "x".repeat(10_000);

const moments = [
  "0000-01-01",
  "0000-12-31T23:59:59Z",
  "0001-01-01",
  "0001-01-01T00:00:00+14:00",
  "1000-01-01",
  "9998-12-31",
  "9999-12-31",
  "9999-12-31T23:59:59.999999999Z",
  "9999-12-31T23:59:59-14:00",
  "9999-12",
  "10000-01-01",
  "-000001-01-01",
  "+275760-09-13T00:00:00Z",
  "2026-02-30",
  "2026-06-30T23:59:60Z",
  "infinity",
];

const numbers = [
  "0",
  "-0",
  "-1",
  "1.5",
  "2147483648",
  "9007199254740993",
  "9223372036854775808",
  "1e308",
  "9".repeat(400),
];

const identifiers = [
  "00000000-0000-0000-0000-000000000000",
  "ffffffff-ffff-ffff-ffff-ffffffffffff",
  "FFFFFFFF-FFFF-7FFF-BFFF-FFFFFFFFFFFF",
  "{0198f2d0-5c1e-7a30-9b5e-3f6a1c2d4e5f}",
  "0198f2d0-5c1e-7a30-9b5e-3f6a1c2d4e5",
];

/** List cursors have parts, each of which becomes a parameter of a statement. */
const cursors = [
  "~",
  "~~~~",
  `infinity~${identifiers[0]}`,
  `2026-04-01~${"x".repeat(36)}`,
  `9999-12-31~${identifiers[1]}`,
  `2026-04-01 00:00:00+00~${identifiers[1]}`,
  `0000-00-00T99:99~${identifiers[0]}`,
];

const words = [
  "",
  " ",
  "\t\n",
  "NaN",
  "null",
  "true",
  "__proto__",
  "constructor",
  "../../../etc/passwd",
  "'; drop table users; --",
  "%_".repeat(150),
  "\\".repeat(199),
  "@".repeat(300),
  "a\u0301".repeat(190),
  "\u202e\u2066😀",
  "İ".repeat(300),
  "<script>alert(1)</script>",
  "=cmd|' /C calc'!A0",
  longText,
];

/** U+0000 and half of a surrogate pair: text that PostgreSQL cannot store. */
const unstorable = ["\u0000", "a\u0000b", "\ud800", "x\udfff"];

const texts = [...moments, ...numbers, ...identifiers, ...cursors, ...words];

/** As parts of a URL: percent-encoded, some with invalid encodings. */
export const addressTexts: readonly string[] = [
  ...texts.map((text) => encodeURIComponent(text)),
  "%00",
  "a%00b",
  "%ED%A0%80",
  "%FF%FE",
  "%",
  "%zz",
  "%2e%2e%2f",
  "+".repeat(300),
];

function nested(levels: number, open: string, close: string): string {
  return open.repeat(levels) + close.repeat(levels);
}

function wide(count: number, part: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => part(index)).join(",");
}

/** As values of a body. */
export const jsonFragments: readonly string[] = [
  ...[...texts, ...unstorable].map((text) => JSON.stringify(text)),
  ...numbers.map((number) => (number.length > 300 ? `1${"0".repeat(400)}` : number)),
  "1e400",
  "-1e400",
  "1e-400",
  "null",
  "true",
  "false",
  "[]",
  "{}",
  "[null]",
  '["","\\u0000"]',
  '[{"a":[]}]',
  '{"__proto__":{"a":1}}',
  '{"constructor":{"prototype":{"a":1}}}',
  '{"a":1,"a":2}',
  nested(2_000, "[", "]"),
  `${'{"a":'.repeat(2_000)}1${"}".repeat(2_000)}`,
  `[${wide(10_000, String)}]`,
  `[${wide(3_000, () => '"x"')}]`,
  `{${wide(3_000, (index) => `"k${index}":${index}`)}}`,
];

/** Whole bodies, created when sent. The large ones have the maximum size of a route. */
export function wholeBodies(maxBytes: number): (() => string | Buffer)[] {
  const room = maxBytes - 20;
  const small = [
    "",
    " ",
    "null",
    "[]",
    '"text"',
    "0",
    "{",
    '{"a":}',
    "{}{}",
    "\u{feff}{}",
    '{"__proto__":null}',
  ];
  return [
    ...small.map((text) => () => text),
    () => Buffer.from([0x7b, 0xff, 0xfe, 0x7d]),
    () => Buffer.alloc(64),
    () => "[".repeat(room),
    () => `{"a":${nested(Math.floor(room / 2) - 10, "[", "]")}}`,
    () => `{${wide(Math.floor(room / 14), (index) => `"k${String(index).padStart(7, "0")}":1`)}}`,
    () => `[${wide(Math.floor(room / 2), () => "1")}]`,
    () => `{"a":"${"x".repeat(room)}"}`,
    () => " ".repeat(room),
    () => "x".repeat(maxBytes + 1),
  ];
}

/** Strings of the maximum size, for code that reads every character or line. */
export function longStrings(maxBytes: number): (() => string)[] {
  const parts = ["x", ",", "\n", "a,b\n", '"', "é", "=", " "];
  const room = maxBytes - 1_000;
  return parts.map((part) => {
    const spelled = JSON.stringify(part).slice(1, -1);
    return () => `"${spelled.repeat(Math.max(1, Math.floor(room / Buffer.byteLength(spelled))))}"`;
  });
}
