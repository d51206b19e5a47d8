import { expect, test } from "vitest";
import { countProblems } from "./problems.js";

const none = { groups: [], otherRows: 0 };
const failure = { reasonCode: 5, errorDetail: "metadata must be an object" } as const;
const row = (text: string) => ({ line: 2, cells: [], text, refusal: undefined });

test("the example of a nested object or list is only its type", () => {
  const deep = `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`;
  const problems = countProblems(none, "transactions", [{ row: row(`{"metadata":${deep}}`), failure }]);
  expect(problems).toMatchObject({ groups: [{ field: "metadata", example: "(an object)" }], otherRows: 0 });
});

test("a row whose problem cannot be shown is counted", () => {
  const problems = countProblems(none, "transactions", [{ row: row("{"), failure }]);
  expect(problems).toEqual({ groups: [], otherRows: 1 });
});
