import { expect, test } from "vitest";
import fc from "../../../testing/properties.js";
import { exactJson, jsonLine, stringifyExactly } from "./exact-json.js";

test("without raw JSON text, the output equals that of JSON.stringify, compact and indented", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(stringifyExactly(value)).toBe(JSON.stringify(value));
      expect(stringifyExactly(value, 2)).toBe(JSON.stringify(value, null, 2));
    }),
  );
});

test("raw JSON text is copied unchanged: digits, U+0000, lone surrogates, __proto__, order and spelling", () => {
  const text =
    '{"__proto__": 1,  "big":123456789012345678901234567890.10,"e":1e400,"z":"\\u0000\\ud800","b":1,"a":1,"a":2}';
  expect(stringifyExactly({ metadata: exactJson(text), amount: exactJson("0.10") })).toBe(
    `{"metadata":${text},"amount":0.10}`,
  );
  expect(stringifyExactly([exactJson(text)], 2)).toBe(`[\n  ${text}\n]`);
});

test("undefined members are left out, and __proto__ is an ordinary key", () => {
  expect(stringifyExactly({ a: undefined, ["__proto__"]: 1, b: "\ud800" })).toBe(
    '{"__proto__":1,"b":"\\ud800"}',
  );
});

test("raw JSON text with line breaks becomes one line with the same meaning", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom("\n", "\r\n", "\r"), (value, lineBreak) => {
      const laidOut = JSON.stringify(value, null, 2).replaceAll("\n", lineBreak);
      const line = jsonLine({ text: "a\r\nb", metadata: exactJson(laidOut) });
      expect(line).toMatch(/^[^\r\n]+\n$/);
      expect(JSON.parse(line)).toEqual({ text: "a\r\nb", metadata: JSON.parse(laidOut) });
    }),
  );
});
