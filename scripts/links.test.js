import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { root, trackedFiles } from "./security/repository.js";

const pages = trackedFiles().filter((file) => file.endsWith(".md"));

/** A page without its examples, in which a # begins a comment. */
const proseOf = (/** @type {string} */ file) => readFileSync(file, "utf8").replaceAll(/^```[^]*?^```/gm, "");

/** What the headings of a page can be found by. */
function anchorsOf(/** @type {string} */ file) {
  const headings = [...proseOf(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\- ]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

test("every link from one page to another leads to a file that is there, and to a heading that it has", () => {
  const links = pages.flatMap((page) =>
    [...proseOf(path.join(root, page)).matchAll(/\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(
      ([, to, anchor]) => ({
        page,
        file: path.resolve(root, path.dirname(page), to || path.basename(page)),
        anchor,
      }),
    ),
  );
  expect(links.length).toBeGreaterThan(300);
  const isRight = (/** @type {{ file: string, anchor?: string | undefined }} */ { file, anchor }) =>
    existsSync(file) &&
    (anchor === undefined ||
      !statSync(file).isFile() ||
      !file.endsWith(".md") ||
      anchorsOf(file).has(anchor));
  expect(links.filter((link) => !isRight(link))).toEqual([]);
});
