import { expect, test } from "vitest";
import { card, cell, table } from "./output.js";

test("columns are as wide as their widest cell in characters, without trailing spaces", () => {
  expect(
    table(
      ["Name", "City"],
      [
        ["Zürich 🚗", "Zürich"],
        ["A", ""],
      ],
      "",
    ),
  ).toBe("Name      City\nZürich 🚗  Zürich\nA         -");
});

test("an empty table says what to do instead", () => {
  expect(table(["Name"], [], "Nothing here yet.")).toBe("Nothing here yet.");
});

test("control characters are shown as a dot", () => {
  expect(cell("a\u001b[2Jb\nc\u0000")).toBe("a·[2Jb·c·");
});

test("missing values, lists and flags are readable", () => {
  expect([null, undefined, "", [], ["a", "b"], false, 0].map(cell)).toEqual([
    "-",
    "-",
    "-",
    "-",
    "a, b",
    "false",
    "0",
  ]);
});

test("a card lists one field per line", () => {
  expect(card({ uuid: "1", createdAt: "now" })).toBe("uuid       1\ncreatedAt  now");
});
