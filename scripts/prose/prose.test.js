import { expect, test } from "vitest";
import { commandProblems, downloadProblems, linkProblems, phraseProblems } from "./check.js";

const page = (/** @type {string} */ text) => ({ file: "docs/README.md", text });

test.each([
  ["Whoever asks gets it.", 1],
  ["// It is\n// anew\n", 2],
  ["/**\n * A file of its\n * own.\n */", 2],
  ["What is\nwritten here counts.", 1],
  ["it is no uuid.", 1],
])("%j has a construction to rewrite", (text, line) => {
  expect(phraseProblems(page(text))).toEqual([expect.stringContaining(`docs/README.md:${line}: `)]);
});

test.each([
  "What is this?",
  "There is no file.",
  "const noBody = 1",
  "It is no longer needed.",
  "It is not a uuid.",
])("%j reads well", (text) => {
  expect(phraseProblems(page(text))).toEqual([]);
});

test("a link to a missing file or heading is a problem, and an example is not read", () => {
  expect(linkProblems(page("[a](nowhere.md)"))).toEqual(["docs/README.md: ](nowhere.md) leads to no file"]);
  expect(linkProblems(page("[a](../README.md#nowhere)"))).toEqual([
    "docs/README.md: ](../README.md#nowhere) leads to no heading",
  ]);
  expect(linkProblems(page("[a](architecture.md)\n```\n[a](nowhere.md)\n```\n"))).toEqual([]);
});

test("a command that downloads another project's package is a problem", () => {
  expect(downloadProblems(page("npx --no -- gatehouse serve"))).toEqual([]);
  for (const wrong of ["npx gatehouse serve", "npx --yes gatehouse", "npm install @gatehouse-parking/client"])
    expect(downloadProblems(page(wrong)), wrong).toHaveLength(1);
});

test("a command that does not exist is a problem", () => {
  const known = {
    subcommands: new Map([
      ["serve", []],
      ["user", ["create"]],
    ]),
    scripts: ["build"],
  };
  const problems = (/** @type {string} */ text) => commandProblems(page(text), known);
  expect(problems("`npm run build`, `gatehouse serve now`, `npx --no -- gatehouse user create`")).toEqual([]);
  for (const wrong of ["`npm run nothing`", "`gatehouse nothing`", "```sh\ngatehouse user nothing\n```"])
    expect(problems(wrong), wrong).toHaveLength(1);
});
