import { expect, test } from "vitest";
import { canonicalDecimal, readDecimal } from "./decimal.js";

test("every digit of a number is read, in any notation", () => {
  expect(readDecimal("-012.50")).toEqual({ isZero: false, wholeDigits: 2, decimalPlaces: 2 });
  expect(readDecimal("999999999999.9")).toEqual({ isZero: false, wholeDigits: 12, decimalPlaces: 1 });
  expect(readDecimal("0.001e13")).toEqual({ isZero: false, wholeDigits: 11, decimalPlaces: -10 });
  expect(readDecimal("1E-7")).toEqual({ isZero: false, wholeDigits: -6, decimalPlaces: 7 });
  expect(readDecimal("0.00e99")).toEqual({ isZero: true, wholeDigits: 0, decimalPlaces: 0 });
});

test("equal numbers have the same canonical form, different numbers have different ones", () => {
  for (const spelling of ["1250", "1250.00", "125e1", "0.125E4", "12500e-1"])
    expect(canonicalDecimal(spelling), spelling).toBe("125e1");
  for (const spelling of ["0", "-0", "0.00", "0e7"]) expect(canonicalDecimal(spelling)).toBe("0");
  expect(canonicalDecimal("-1.5")).toBe("-15e-1");
  expect(canonicalDecimal("9007199254740993")).not.toBe(canonicalDecimal("9007199254740992"));
  expect(canonicalDecimal("1e400")).toBe("1e400");
});

test("a number with a million zeros is read in linear time", () => {
  // Quadratic backtracking would take minutes and exceed the test's timeout.
  const zeros = "0".repeat(1_000_000);
  expect(canonicalDecimal(`1${zeros}1`)).toHaveLength(1_000_004);
  expect(canonicalDecimal(`1${zeros}`)).toBe("1e1000000");
});
