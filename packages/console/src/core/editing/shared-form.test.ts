import { expect, test } from "vitest";
import { rebase } from "./shared-form.js";

const opened = { name: "Deck", city: "Bern", origins: ["https://a.example"] };

test("what was typed stays, and what was not touched becomes what somebody else saved", () => {
  const typed = { ...opened, name: "Upper deck" };
  const saved = { ...opened, city: "Basel", origins: ["https://b.example"] };
  expect(rebase(opened, typed, saved)).toEqual({
    values: { name: "Upper deck", city: "Basel", origins: ["https://b.example"] },
    clashes: [],
  });
});

test("a field that both changed keeps what was typed and is pointed out, unless both mean the same", () => {
  const typed = { ...opened, name: "Upper deck", city: "Basel" };
  const saved = { ...opened, name: "Lower deck", city: "Basel" };
  expect(rebase(opened, typed, saved)).toEqual({
    values: { ...opened, name: "Upper deck", city: "Basel" },
    clashes: ["name"],
  });
});
