import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { root } from "./repository.js";

const page = readFileSync(path.join(root, "docs/reference/security-requirements.md"), "utf8");
const rows = page.split("\n").filter((line) => /^\| (?:API|V)\d/.test(line));

// scripts/prose/check.js finds links to files that do not exist.
test("every security requirement links to a test", () => {
  expect(rows.length).toBeGreaterThan(80);
  expect(rows.filter((row) => !/\]\([^)]+\.test\.[jt]s\)/.test(row))).toEqual([]);
});

test("all ten risks of the OWASP list are covered", () => {
  const risks = rows.map((row) => /^\| (API\d{1,2}):2023 /.exec(row)?.[1]).filter(Boolean);
  expect(risks).toEqual(Array.from({ length: 10 }, (_, index) => `API${index + 1}`));
});
