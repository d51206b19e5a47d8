import { expect, test } from "vitest";
import fc from "../../../../testing/properties.js";
import { openQuestions, requireAnswers, toMapping } from "./mapping.js";
import { mergePatch } from "./merge-patch.js";
import { applyAnswers } from "./questions.js";

const question = (id: string, patches: Record<string, object>, assumed?: string) => ({
  ...{ id, code: "ambiguousTimes", data: {}, text: `What is ${id}?`, rows: 3, samples: ["03/04/2026"] },
  kind: assumed === undefined ? "question" : "assumption",
  choices: Object.entries(patches).map(([choice, patch]) => ({ id: choice, patch, gives: [] })),
  ...(assumed === undefined ? {} : { assumed }),
});
const times = question("times", {
  "day-first": { columns: { Entry: { time: "dd/MM/yyyy" } } },
  "month-first": { columns: { Entry: { time: "MM/dd/yyyy" } } },
});
const zone = question("zone", { berlin: { timeZone: "Europe/Berlin" } }, "berlin");
const draft = { columns: { Entry: "sessionStart" }, questions: [times, zone] };
const applied = (content: object) => applyAnswers(content as Record<string, unknown>);

test("an answer is a choice or a part of a mapping file, and both are merged into the mapping", () => {
  const chosen = applied({ ...draft, answers: { times: "day-first" } });
  expect(chosen.content).toMatchObject({ columns: { Entry: { to: "sessionStart", time: "dd/MM/yyyy" } } });
  const own = { columns: { Entry: { time: "yyyy/MM/dd", timeOfDay: "00:00" } } };
  expect(applied({ ...draft, answers: { times: own } }).content).toMatchObject({
    columns: { Entry: { to: "sessionStart", time: "yyyy/MM/dd", timeOfDay: "00:00" } },
  });
});

test("questions stay open until they are answered, assumptions until they are answered or confirmed", () => {
  const ids = (content: object) => openQuestions(toMapping(content)).map(({ id }) => id);
  expect(ids(draft)).toEqual(["times", "zone"]);
  expect(ids({ ...draft, confirmAssumptions: true })).toEqual(["times"]);
  expect(ids({ ...draft, answers: { zone: "berlin" } })).toEqual(["times"]);
  const settled = { ...draft, answers: { times: "day-first" }, confirmAssumptions: true };
  expect(ids(settled)).toEqual([]);
  expect(() => requireAnswers(toMapping(settled))).not.toThrow();
  expect(() => requireAnswers(toMapping(draft))).toThrow('2 questions are open: "times", "zone"');
  expect(() => requireAnswers(toMapping({ columns: {} }))).not.toThrow();
});

test("an assumption applies until another answer replaces it", () => {
  expect(toMapping(draft).timeZone).toBe("Europe/Berlin");
  expect(toMapping({ ...draft, answers: { zone: { timeZone: "UTC" } } }).timeZone).toBe("UTC");
});

test("patches add filters and words, merge values and constants, and replace everything else", () => {
  const content = {
    columns: { A: { to: "type", values: { a: 1, b: 2 } }, B: ["sessionStart", { to: "sessionEnd" }] },
    leaveOut: [{ column: "S", values: ["VOID"] }],
    empty: "-",
    file: { headerLine: 2 },
  };
  const patch = {
    columns: { A: { values: { b: 3 }, empty: ["x"] }, B: { time: "d/M/yyyy" }, C: null },
    leaveOut: [
      { column: "S", values: ["VOID"] },
      { column: "R", values: ["1"] },
    ],
    empty: ["n/d", "-"],
    constants: { type: 1 },
    file: { sheet: "May" },
  };
  expect(mergePatch(content, patch)).toEqual({
    columns: {
      A: { to: "type", values: { a: 1, b: 3 }, empty: ["x"] },
      B: [
        { to: "sessionStart", time: "d/M/yyyy" },
        { to: "sessionEnd", time: "d/M/yyyy" },
      ],
      C: null,
    },
    leaveOut: [
      { column: "S", values: ["VOID"] },
      { column: "R", values: ["1"] },
    ],
    empty: ["-", "n/d"],
    constants: { type: 1 },
    file: { headerLine: 2, sheet: "May" },
  });
});

test("merging patches one by one gives the same as merging them first", () => {
  const words = fc.uniqueArray(fc.constantFrom("a", "b", "c"), { minLength: 1 });
  const target = fc.record(
    {
      to: fc.constantFrom("type", "cardType"),
      values: fc.dictionary(fc.constantFrom("x", "y"), fc.integer()),
      empty: words,
      time: fc.constantFrom("d", ["d", "M"]),
    },
    { requiredKeys: [] },
  );
  const patch = fc.record(
    {
      columns: fc.dictionary(fc.constantFrom("A", "B", "__proto__"), target),
      constants: fc.dictionary(fc.constantFrom("x", "y"), fc.integer()),
      empty: words,
      timeZone: fc.constantFrom("UTC", "Europe/Berlin"),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(patch, patch, patch, (one, two, three) => {
      expect(mergePatch(mergePatch(one, two), three)).toEqual(mergePatch(one, mergePatch(two, three)));
    }),
  );
});

test.each([
  [{ ...draft, answers: { other: "x" } }, '"answers" has an answer to "other", which is not a question'],
  [{ ...draft, answers: { times: "year-first" } }, 'must be one of "day-first", "month-first"'],
  [{ ...draft, answers: { times: { answers: {} } } }, "must not change questions or answers"],
  [{ ...draft, answers: { times: { colums: {} } } }, 'not "colums"'],
  [{ ...draft, answers: [] }, '"answers" must be an object'],
  [{ ...draft, confirmAssumptions: "yes" }, '"confirmAssumptions" must be true or false'],
  [{ questions: [{ id: "a" }] }, 'each of "questions" must be an object'],
  [{ questions: [times, times] }, 'the question "times" appears twice'],
  [{ questions: [{ ...zone, assumed: "paris" }] }, 'each of "questions" must be an object'],
])("invalid questions and answers are rejected with the reason: %j", (mapping, message) => {
  expect(() => toMapping(mapping)).toThrow(message);
});

test("answers that add a field to a column keep what other answers say about the column", () => {
  const ask = (id: string, patch: object) => ({ ...times, id, choices: [{ id: "x", patch, gives: [] }] });
  const questions = [
    ask("format", { columns: { Out: { time: "d/M/yyyy H:mm" } } }),
    ask("word", { columns: { Type: { values: { Refund: "Transient" } } } }),
    ask("date", {
      columns: { Out: [{ to: "sessionEnd", time: ["M/d/yyyy", "d/M/yyyy"] }, "transactionDate"] },
    }),
    ask("id", { columns: { Out: ["sessionEnd", { to: "transactionId", hash: true }] } }),
    ask("refund", {
      columns: {
        Type: [
          { to: "type", values: {} },
          { to: "isRefunded", true: ["Refund"] },
        ],
      },
    }),
  ];
  const answers = Object.fromEntries(questions.map(({ id }) => [id, "x"]));
  const columns = { Out: "sessionEnd", Type: { to: "type", values: {} } };
  expect(applyAnswers({ columns, questions, answers }).content["columns"]).toEqual({
    Out: [
      { to: "transactionDate", time: "d/M/yyyy H:mm" },
      { to: "sessionEnd", time: "d/M/yyyy H:mm" },
      { to: "transactionId", hash: true },
    ],
    Type: [
      { to: "type", values: { Refund: "Transient" } },
      { to: "isRefunded", true: ["Refund"] },
    ],
  });
});
