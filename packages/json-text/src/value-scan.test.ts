import { expect, test } from "vitest";
import fc from "../../../testing/properties.js";
import { scanValue } from "./scan.js";
import { beginScan, finishScan, scanOn } from "./value-scan.js";
import { Walker } from "./walker.js";

const json = fc
  .tuple(fc.jsonValue({ maxDepth: 4, stringUnit: "binary" }), fc.nat(2))
  .map(([value, indent]) => JSON.stringify(value, null, indent));

test("a value in chunks ends at the same position as the whole value, wherever it is split", () => {
  fc.assert(
    fc.property(json, fc.array(fc.nat(7), { minLength: 1 }), (text, lengths) => {
      const whole = `${text} ,`;
      const scan = beginScan(whole, 0);
      let end = 0;
      let start = 0;
      for (let turn = 0; !scan.isDone; turn += 1) {
        const piece = whole.slice(start, start + (lengths[turn % lengths.length] as number) + 1);
        end = start + scanOn(scan, piece, 0);
        start += piece.length;
      }
      expect({ start: 0, end, depth: scan.depth }).toEqual(scanValue(text, 0));
      expect(end).toBe(text.length);
    }),
    { numRuns: 2_000 },
  );
});

test("a scan that pauses anywhere finds the same as one without pauses", () => {
  fc.assert(
    fc.property(json, fc.integer({ min: 1, max: 9 }), (text, characters) => {
      const visitsOf = (step: number) => {
        const visits: number[][] = [];
        const walker = new Walker(` ${text} `, 0, 2, (...visit) => visits.push(visit));
        while (!walker.advance(step));
        return [...visits, [walker.at]];
      };
      expect(visitsOf(characters)).toEqual(visitsOf(1_000_000));
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ['"a', "A string does not end"],
  ['["a\\"', "A string does not end"],
  ["[[]", "An object or array does not end"],
])("an unfinished value is rejected: %s", (text, message) => {
  const scan = beginScan(text, 0);
  scanOn(scan, text, 0);
  expect(() => finishScan(scan)).toThrow(message);
});

test("the end of the text ends a number", () => {
  expect(scanValue("12", 0)).toEqual({ start: 0, end: 2, depth: 0 });
});
