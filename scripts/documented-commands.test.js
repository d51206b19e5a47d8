import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { root, trackedFiles } from "./security/repository.js";

const shown = /\.(?:md|tsx?|js|html|http|java|py|sh|ya?ml)$/;
/** The changelog quotes what earlier releases said, and this file quotes what is wrong. */
const leftOut = ["CHANGELOG.md", "scripts/documented-commands.test.js"];

/** @param {RegExp} wrong */
function linesWith(wrong) {
  return trackedFiles()
    .filter((file) => shown.test(file) && !leftOut.includes(file))
    .flatMap((file) =>
      readFileSync(path.join(root, file), "utf8")
        .split("\n")
        .flatMap((line, index) => (wrong.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : [])),
    );
}

test("npx is never told to download a package: outside a checkout, `npx gatehouse` runs another project's", () => {
  expect(linesWith(/\bnpx (?!--no -- )(?:--\S+ )*gatehouse/)).toEqual([]);
});

test("no document installs our packages from the npm registry, where they are not published", () => {
  expect(linesWith(/npm (?:install|i|add) (?:\S+ )*@gatehouse-parking\//)).toEqual([]);
});
