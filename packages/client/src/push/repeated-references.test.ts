import { expect, test } from "vitest";
import { RepeatedReferences } from "./repeated-references.js";

test("a reference that occurs again is found among many, and compared with its first record", () => {
  const references = new RepeatedReferences();
  const count = 20_000;
  for (let index = 0; index < count; index += 1)
    expect(references.add(`T-${index}`, `record ${index}`)).toBe("first");
  for (let index = 0; index < count; index += 7) {
    expect(references.add(`T-${index}`, `record ${index}`)).toBe("equal");
    expect(references.add(`T-${index}`, "other values")).toBe("different");
  }
});

test("when no more references can be remembered, new ones are reported as such, and known ones are still found", () => {
  const references = new RepeatedReferences(2);
  expect(["a", "b", "c", "c", "a"].map((reference) => references.add(reference, reference))).toEqual([
    "first",
    "first",
    "not remembered",
    "not remembered",
    "equal",
  ]);
});
