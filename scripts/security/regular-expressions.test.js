import { expect, test } from "vitest";
import { findExpressions, findPatterns } from "./find-expressions.js";
import { judgeExpressions } from "./regular-expressions.js";

const judgeSource = (/** @type {string} */ text, file = "made-up.ts") =>
  judgeExpressions(findExpressions(file, text));

test("an expression that goes back exponentially or by the square is refused, with where it stands", async () => {
  const problems = await judgeSource(
    "const fine = /^a+$/;\nconst nested = /(a+)+$/;\nconst trim = /\\s+$/;\n",
  );
  expect(problems).toHaveLength(2);
  expect(problems[0]).toMatch(/^made-up\.ts:2 \/\(a\+\)\+\$\/ takes exponential time, for instance on /);
  expect(problems[1]).toMatch(/^made-up\.ts:3 .* takes 2nd degree polynomial time/);
});

test("large counts are judged as if they had no bound, by proof and not by the clock", async () => {
  const problems = await judgeSource(
    "const fine = /:[^:]{1,100}:[^:]{1,100}@/, literal = /\\{1,100}/, nested = /^(a{1,100}){1,100}$/, exact = /x{12}$/;",
  );
  expect(problems).toEqual([
    expect.stringMatching(/a\{1,100\}.*exponential time/),
    expect.stringMatching(/x\{12\}.*2nd degree polynomial time/),
  ]);
});

test("a test may use what is slow on long texts, but nothing exponential", async () => {
  const problems = await judgeSource("const a = /\\s+$/, b = /(a|a)*b/;", "made-up.test.ts");
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain("exponential");
});

test("what is put together from constants of the file is judged as a whole; anything else is refused", async () => {
  const source = [
    'const part = "a+"; const times = 1;',
    "const raw = String.raw`(${part})`;",
    'export const folded = new RegExp(`^${raw}+` + "$", "u");',
    "const bounded = RegExp(`x{${times + 1}}`);",
    "const anything = (given: string) => new RegExp(given);",
  ].join("\n");
  expect(findExpressions("made-up.ts", source)).toEqual([
    { file: "made-up.ts", line: 3, source: "^(a+)+$", flags: "u" },
    { file: "made-up.ts", line: 4, source: "x{2}", flags: "" },
    { file: "made-up.ts", line: 5, unknown: "new RegExp(given)" },
  ]);
  const problems = await judgeSource(source);
  expect(problems).toHaveLength(2);
  expect(problems[0]).toContain("exponential");
  expect(problems[1]).toContain("does not consist of constants");
});

test("patterns of schemas are found wherever they stand, and properties of that name are none", () => {
  const schema = {
    properties: { pattern: { type: "string", pattern: "^(a+)+$" } },
    allOf: [{ items: { pattern: "b" } }],
  };
  expect(findPatterns("x.json", schema).map(({ source }) => source)).toEqual(["^(a+)+$", "b"]);
});
