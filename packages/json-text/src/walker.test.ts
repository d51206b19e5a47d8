import { expect, test } from "vitest";
import { Walker } from "./walker.js";

/** Whether the walker takes the text for one whole value, with pauses at so many characters. */
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

test.each(inserted)(
  "wherever %j stands in a long string, it is taken or refused as JSON.parse does",
  (piece) => {
    const long = "x".repeat(100);
    for (let at = 0; at <= long.length; at += 1) {
      const text = `["${long.slice(0, at)}${piece}${long.slice(at)}"]`;
      for (const characters of [1, 7, 40, 1_000]) {
        expect(isTaken(text, characters), `at ${at}, ${characters} at a time`).toBe(isJson(text));
      }
    }
  },
);

test("a long string that does not end is refused", () => {
  expect(isTaken(`"${"x".repeat(100)}`, 40)).toBe(false);
});
