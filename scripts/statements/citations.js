// Finds the test files that cover each statement and reading, by the `@covers` tags of tests.
import path from "node:path";
import { readTracked, trackedFiles } from "../security/repository.js";

const isTest = (/** @type {string} */ file) => /\.test\.tsx?$/.test(file);

/** Returns `{ statements, readings }`: the files that cover each number. */
export function citations() {
  const found = { statements: new Map(), readings: new Map() };
  for (const file of trackedFiles().filter(isTest).toSorted()) {
    const text = readTracked(file).toString("utf8");
    for (const [, covered = ""] of text.matchAll(/@covers ([^*\n]+)/g)) {
      for (const number of numbersAfter(covered, /\bR(\d{1,3})(?:-R(\d{1,3}))?\b/g))
        add(found.statements, number, file);
      for (const number of numbersAfter(covered, /\breading (\d{1,2})\b/g)) add(found.readings, number, file);
    }
  }
  return found;
}

function numbersAfter(/** @type {string} */ text, /** @type {RegExp} */ expression) {
  return [...text.matchAll(expression)].flatMap(([, first, last = first]) =>
    Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => Number(first) + index),
  );
}

function add(
  /** @type {Map<number, Set<string>>} */ filesByNumber,
  /** @type {number} */ number,
  /** @type {string} */ file,
) {
  filesByNumber.set(number, new Set([...(filesByNumber.get(number) ?? []), file]));
}

export function linksTo(files = new Set()) {
  return [...files].map((file) => `[${path.basename(file)}](../../${file})`).join(", ");
}
