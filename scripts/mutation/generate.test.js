import { afterEach, expect, test } from "vitest";
import { checkExplained, readExplained } from "./explained.js";
import { mutate } from "./generate.js";

afterEach(() => {
  delete globalThis.isMutant;
});

/** What the function in `text` answers, without a mutant (0) or with one. */
function answerOf(text, number, ...values) {
  globalThis.isMutant = (asked) => asked === number;
  // oxlint-disable-next-line no-new-func -- The text is the test's own.
  return new Function(`${mutate("sample.js", text).text}; return sample(...arguments);`)(...values);
}

const changesOf = (text) =>
  mutate("sample.ts", text).mutants.map(({ kind, original, mutated }) => [kind, original, mutated]);

test("conditions, comparisons, numbers, logic, results, calls and texts are changed, one at a time", () => {
  expect(changesOf('function f(a) { if (a < 2 && !a) g("x"); return a ?? 0; }')).toEqual([
    ["number", "2", "2 + 1"],
    ["number", "2", "2 - 1"],
    ["comparison", "a < 2", "a <= 2"],
    ["comparison", "a < 2", "a >= 2"],
    ["negation", "!a", "a"],
    ["logic", "a < 2 && !a", "(a < 2) || (!a)"],
    ["condition", "a < 2 && !a", "!(a < 2 && !a)"],
    ["text", '"x"', '""'],
    ["dropped", 'g("x");', ""],
    ["number", "0", "0 + 1"],
    ["number", "0", "0 - 1"],
    ["default", "a ?? 0", "a"],
    ["result", "a ?? 0", "undefined"],
  ]);
  expect(
    changesOf("async () => { while (more()) await one(); throw new Error(); }").map(([kind]) => kind),
  ).toEqual(["loop", "await", "dropped", "dropped"]);
});

test("types, imports, names and expressions for matching are left alone", () => {
  const text = `import a from "a"; interface B { c: "d" } type E = "f" | 1; export * from "g"; const h = /i/;`;
  expect(changesOf(text)).toEqual([]);
  expect(changesOf('const j = { "k": l["m"] } as const satisfies N<"o">;')).toEqual([["text", '"m"', '""']]);
});

test("the text with all mutants in it does what it did, until one of them is chosen", () => {
  const text = `function sample(a, b) {
    const said = [];
    if (a > 1) said.push("large");
    else if (a === 1) said.push("one");
    else said.push("small");
    for (let i = 0; i < b; i += 1) said.push(i);
    return said.join();
  }`;
  const { mutants } = mutate("sample.js", text);
  for (const [a, b] of [
    [0, 0],
    [1, 2],
    [2, 1],
  ])
    expect(answerOf(text, 0, a, b)).toBe(answerOf(text, -1, a, b));
  expect(answerOf(text, 0, 1, 2)).toBe("one,0,1");
  const numberOf = (original, mutated) =>
    mutants.find((mutant) => mutant.original === original && mutant.mutated === mutated).number;
  expect(answerOf(text, numberOf("a > 1", "a >= 1"), 1, 0)).toBe("large");
  expect(answerOf(text, numberOf('said.push("one");', ""), 1, 0)).toBe("");
  expect(answerOf(text, numberOf("i < b", "false"), 1, 2)).toBe("one");
  expect(answerOf(text, numberOf("i < b", "i <= b"), 1, 2)).toBe("one,0,1,2");
});

test("mutants that are alike are told apart, and found again when lines have moved", () => {
  const [one, two] = mutate("sample.ts", "function f() { g(); g(); }").mutants;
  expect([one, two].map(({ within, nth }) => [within, nth])).toEqual([
    ["f", 1],
    ["f", 2],
  ]);
  const [moved] = mutate("sample.ts", "\n\nfunction f() { g(); }").mutants;
  expect({ ...moved, line: 1 }).toEqual(one);
});

test("the list of explained mutants fits the sources, and one that does not is named", () => {
  checkExplained();
  const [known] = readExplained();
  const gone = { ...known, original: "no such text" };
  expect(() => checkExplained([gone])).toThrow(/no such text .* is no mutant of the sources any more/);
  expect(() => checkExplained([known, known])).toThrow("is listed twice");
  expect(() => checkExplained([{ ...known, reason: "because" }])).toThrow("has no reason");
});
