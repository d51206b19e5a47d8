import { expect, test } from "vitest";
import { parseDuration } from "./options.js";

test.each([
  ["0s", 0],
  ["90s", 90_000],
  ["30m", 1_800_000],
  ["24h", 86_400_000],
  [" 7d ", 604_800_000],
])("%s is %d ms", (text, expected) => {
  expect(parseDuration(text)).toBe(expected);
});

test.each(["", "24", "h", "1.5h", "-1h", "1w", "24 h", "9999999s"])("%j is rejected", (text) => {
  expect(() => parseDuration(text)).toThrow(/not a duration such as 30m, 24h or 7d/);
});
