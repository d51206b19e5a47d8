import { expect, test } from "vitest";
import { canonicalJson } from "./compare.js";

const longest = 16_384;
const ofLength = (length: number): string => {
  const around = '{ "b": 1.0, "a": "" }';
  return around.replace('""', `"${"x".repeat(length - around.length)}"`);
};

test("JSON is compared by value up to a length, and by text beyond it", () => {
  const compared = ofLength(longest);
  expect(compared).toHaveLength(longest);
  expect(canonicalJson(compared)).toMatch(/^\{"sa":"sx+","sb":"n/);
  const spelled = ofLength(longest + 1);
  expect(canonicalJson(spelled)).toBe(spelled);
});
