import { expect, test } from "vitest";
import { Walker } from "./walker.js";

/** Whether the walker accepts the text as one complete value, pausing after every so many characters. */
function isTaken(text: string, characters: number): boolean {
  const walker = new Walker(text, 0, 0, () => undefined);
  try {
    while (!walker.advance(characters));
  } catch {
    return false;
  }
  return walker.at === text.length;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const inserted = [
  '\\"',
  "\\\\",
  "\\u00e9",
  "\\u12",
  "\\q",
  "\\",
  '"',
  "\n",
  "\u0000",
  "\u001f",
  " ",
  "é",
  "😀",
];

test.each(inserted)("%j anywhere in a long string is accepted or rejected as by JSON.parse", (piece) => {
  const long = "x".repeat(100);
  for (let at = 0; at <= long.length; at += 1) {
    const text = `["${long.slice(0, at)}${piece}${long.slice(at)}"]`;
    for (const characters of [1, 7, 40, 1_000]) {
      expect(isTaken(text, characters), `at ${at}, ${characters} at a time`).toBe(isJson(text));
    }
  }
});

test("an unfinished long string is rejected", () => {
  expect(isTaken(`"${"x".repeat(100)}`, 40)).toBe(false);
});
