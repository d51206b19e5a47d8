import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const document: unknown = JSON.parse(
  readFileSync(new URL("../../../../../openapi.json", import.meta.url), "utf8"),
);

function patternsIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === "pattern" && typeof inner === "string" ? [inner] : patternsIn(inner),
  );
}
const patterns = [...new Set(patternsIn(document))];

/**
 * One element of the subset that JSON Schema recommends, with escaped punctuation and the classes that all engines
 * support.
 */
const escape = String.raw`\\[dDsSwW.\-/+*?()[\]{}|^$\\]`;
const inClass = String.raw`(?:${escape}|[^\\\]])`;
const element = new RegExp(
  String.raw`${escape}|\[\^?${inClass}+\]|\((?!\?)|\)|[|^$.]|\{\d+(?:,\d*)?\}|[*+?]|[^\\[\](){}|^$.*+?]`,
  "y",
);

function isInSubset(pattern: string): boolean {
  element.lastIndex = 0;
  while (element.lastIndex < pattern.length) if (!element.test(pattern)) return false;
  return true;
}

test("every pattern of openapi.json stays in the subset that JSON Schema recommends", () => {
  expect(patterns.length).toBeGreaterThan(2);
  expect(patterns.filter((pattern) => !isInSubset(pattern))).toEqual([]);
});

test.each([
  String.raw`\p{L}`,
  "(?<=a)b",
  "(?i)a",
  "(?<name>a)",
  "(?=a)",
  String.raw`\bword`,
  String.raw`\u0041`,
])("%s is outside that subset", (pattern) => expect(isInSubset(pattern)).toBe(false));

const hasPython = spawnSync("python3", ["--version"]).status === 0;

if (hasPython) {
  test("Python compiles every pattern of openapi.json", () => {
    const program = "import json, re, sys\nfor pattern in json.load(sys.stdin): re.compile(pattern)";
    const compile = (input: string[]) =>
      spawnSync("python3", ["-c", program], { input: JSON.stringify(input), encoding: "utf8" });
    const { status, stderr } = compile(patterns);
    expect(status, stderr).toBe(0);
    expect(compile([String.raw`\p{L}`]).status).not.toBe(0);
  });
}
