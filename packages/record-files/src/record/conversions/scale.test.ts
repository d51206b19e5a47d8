import { expect, test } from "vitest";
import fc from "../../../../../testing/properties.js";
import { readScale, scaled } from "./scale.js";

const digits = (min: number) =>
  fc.stringMatching(/^\d*$/, { maxLength: 40 }).filter((text) => text.length >= min);

/** The value of a decimal as a whole number of 10^-100. */
function whole(text: string): bigint {
  const [left = "", right = ""] = text.replace("-", "").split(".");
  const value = BigInt(left + right.padEnd(100, "0"));
  return text.startsWith("-") ? -value : value;
}

test("a scale is exact for every decimal", () => {
  const decimal = fc
    .tuple(fc.constantFrom("", "-"), digits(1), digits(0))
    .map(([sign, left, right]) => `${sign}${BigInt(left)}${right === "" ? "" : `.${right}`}`);
  fc.assert(
    fc.property(decimal, fc.integer({ min: -6, max: 6 }), (number, exponent) => {
      const result = scaled(number, exponent);
      expect(result).toMatch(/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/);
      const power = 10n ** BigInt(Math.abs(exponent));
      const [one, other] = [whole(result), whole(number)];
      expect(exponent < 0 ? one * power : one).toBe(exponent < 0 ? other : other * power);
    }),
  );
});

test("every digit is kept, and a power stays a power", () => {
  expect(scaled("5010", -2)).toBe("50.10");
  expect(scaled("5", -2)).toBe("0.05");
  expect(scaled("-0", -2)).toBe("-0.00");
  expect(scaled("12.5", 2)).toBe("1250");
  expect(scaled("0.001", 1)).toBe("0.01");
  expect(scaled("1e999999999", -2)).toBe("1e999999997");
});

test.each([
  ["1", 0],
  ["100", 2],
  ["1000000", 6],
  ["0.01", -2],
  ["0.000001", -6],
  ["0.0000001", undefined],
  ["10000000", undefined],
  ["0.02", undefined],
  ["-1", undefined],
  ["1e2", undefined],
])("the scale %s is the power %s of ten", (text, exponent) => {
  expect(readScale(text)).toBe(exponent);
});
