import { expect, test } from "vitest";
import { isOlderRelease } from "./release.js";

test.each([
  ["1.0.0", "1.0.1"],
  ["1.9.0", "1.10.0"],
  ["1.10.3", "2.0.0"],
  ["1.1.0-rc.1", "1.2.0"],
])("%s is older than %s, and not the other way round", (one, other) => {
  expect([isOlderRelease(one, other), isOlderRelease(other, one)]).toEqual([true, false]);
  expect(isOlderRelease(one, one)).toBe(false);
});
