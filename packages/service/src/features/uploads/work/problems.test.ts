import { expect, test } from "vitest";
import { addProblems } from "./problems.js";

const none = { groups: [], otherRows: 0 };
const failure = { reasonCode: 5, errorDetail: "metadata must be an object" } as const;
const row = (text: string) => ({ line: 2, cells: [], text, refusal: undefined, ambiguousTimes: 0 });

test("of objects and lists only what they are is shown, however deep they are", () => {
  const deep = `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`;
  const problems = addProblems(none, "transactions", [{ row: row(`{"metadata":${deep}}`), failure }]);
  expect(problems).toMatchObject({ groups: [{ field: "metadata", example: "(an object)" }], otherRows: 0 });
});

test("a row of which nothing can be shown is counted", () => {
  const problems = addProblems(none, "transactions", [{ row: row("{"), failure }]);
  expect(problems).toEqual({ groups: [], otherRows: 1 });
});
