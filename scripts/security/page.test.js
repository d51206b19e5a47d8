import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseSync } from "vite";
import { expect, test } from "vitest";
import { root } from "./repository.js";

/** docs/security.md says which test shows what. It is worth as much as its links. */
const page = readFileSync(path.join(root, "docs/security.md"), "utf8");
// Links within the page are checked with those of all documents, in links.test.js.
const links = [...page.matchAll(/\[([^\]]+)\]\(([^)\s#][^)\s]*)\)/g)].map(([, text, target = ""]) => ({
  text,
  file: path.join(root, "docs", target),
}));
const isTestFile = (/** @type {string} */ file) => /\.test\.[jt]s$/.test(file);

test("every link of the security page leads to a file", () => {
  expect(links.length).toBeGreaterThan(100);
  expect(links.filter(({ file }) => !existsSync(file))).toEqual([]);
});

test("every test that the security page names stands in the file it links to", () => {
  const proofs = links.filter(({ file }) => isTestFile(file) && existsSync(file));
  const titles = new Map(proofs.map(({ file }) => [file, titlesOf(file)]));
  expect(proofs.filter(({ file, text }) => !titles.get(file)?.has(text))).toEqual([]);
});

test("every row of its two lists names a test, and no risk of the ten is left out", () => {
  const rows = page.split("\n").filter((line) => /^\| (?:API|V)\d/.test(line));
  expect(rows.filter((row) => !/\]\([^)]+\.test\.[jt]s\)/.test(row))).toEqual([]);
  const risks = rows.map((row) => /^\| (API\d{1,2}):2023 /.exec(row)?.[1]).filter(Boolean);
  expect(risks).toEqual(Array.from({ length: 10 }, (_, index) => `API${index + 1}`));
});

/** The first argument of every test, it and describe, as it is spelled. */
function titlesOf(/** @type {string} */ file) {
  const text = readFileSync(file, "utf8");
  const titles = new Set();
  const visit = (/** @type {any} */ node) => {
    if (node === null || typeof node !== "object") return;
    const title = node.type === "CallExpression" && isTestCall(node.callee) ? node.arguments[0] : undefined;
    if (typeof title?.value === "string") titles.add(title.value);
    if (title?.type === "TemplateLiteral") titles.add(text.slice(title.start + 1, title.end - 1));
    Object.values(node).forEach(visit);
  };
  visit(parseSync(file, text).program);
  return titles;
}

/** test(...), test.each(...)(...), test.for(...)(...) */
function isTestCall(/** @type {any} */ callee) {
  const inner = callee.type === "CallExpression" ? callee.callee : callee;
  return ["test", "it", "describe"].includes(inner.name ?? inner.object?.name);
}
