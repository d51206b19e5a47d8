import { expect, test } from "vitest";
import { rebase } from "./shared-form.js";

const opened = { name: "Deck", city: "Bern", origins: ["https://a.example"] };

test("rebasing keeps edits and takes other fields from the newer version", () => {
  const typed = { ...opened, name: "Upper deck" };
  const saved = { ...opened, city: "Basel", origins: ["https://b.example"] };
  expect(rebase(opened, typed, saved)).toEqual({
    values: { name: "Upper deck", city: "Basel", origins: ["https://b.example"] },
    clashes: [],
  });
});

test("a field that both sides changed keeps the edit and is a clash, unless the values are equal", () => {
  const typed = { ...opened, name: "Upper deck", city: "Basel" };
  const saved = { ...opened, name: "Lower deck", city: "Basel" };
  expect(rebase(opened, typed, saved)).toEqual({
    values: { ...opened, name: "Upper deck", city: "Basel" },
    clashes: ["name"],
  });
});
