import { expect, test } from "vitest";
import { citations } from "./citations.js";
import { readings, statements } from "./statements.js";

const numbersOf = (/** @type {Record<number, string>} */ explained) => Object.keys(explained).map(Number);
const byNumber = (/** @type {number} */ one, /** @type {number} */ other) => one - other;
const cited = citations();

test("every statement is named by a test, and every number that a test names is explained", () => {
  const explained = Object.values(statements).flatMap(numbersOf).toSorted(byNumber);
  expect([...cited.statements.keys()].toSorted(byNumber)).toEqual(explained);
});

test("every reading that a test names is explained", () => {
  const explained = new Set(numbersOf(readings));
  expect([...cited.readings.keys()].filter((number) => !explained.has(number))).toEqual([]);
});

test("every reading is named by a test", () => {
  const unnamed = numbersOf(readings).filter((number) => !cited.readings.has(number));
  expect(unnamed).toEqual([]);
});
