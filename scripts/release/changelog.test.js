import { expect, test } from "vitest";
import { newestRelease } from "./changelog.js";

test("the first version of the changelog is used, with its date", () => {
  const text = "# Changelog\n\n## [1.2.0] - 2026-12-01\n\n- news\n\n## [1.1.0] - 2026-11-15\n";
  expect(newestRelease(text)).toEqual({ version: "1.2.0", day: "2026-12-01" });
});

test("a release without a date is unreleased", () => {
  expect(newestRelease("## [1.2.0] - unreleased\n\n## [1.1.0] - 2026-11-15\n")).toEqual({
    version: "1.2.0",
    day: undefined,
  });
});

test.each([
  ["no version", "# Changelog\n"],
  ["a malformed heading", "## Unreleased\n\n## [1.1.0] - 2026-11-15\n"],
  ["half a version", "## [1.2] - unreleased\n"],
  ["neither a date nor unreleased", "## [1.2.0]\n"],
])("a changelog with %s is rejected with an example of a correct heading", (_what, text) => {
  expect(() => newestRelease(text)).toThrow('must look like "## [1.2.0] - 2026-01-31"');
});
