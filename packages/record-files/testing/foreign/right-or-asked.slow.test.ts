import { expect, test } from "vitest";
import { foreignExports } from "./export-folder.js";
import { judge } from "./judge.js";
import { resultsPage } from "./results-page.js";

const exports = foreignExports();
const judgements = Promise.all(exports.map(judge));
const judgementOf = async (name: string) => (await judgements).find((one) => one.name === name);

const withRecords = exports.filter(({ facts }) => facts.refused === undefined);
const withoutRecords = exports.filter(({ facts }) => facts.refused !== undefined);
/** Raise it when more exports are stored right. */
const fewestRight = 37;

test("there are 41 exports with records, in 21 languages", () => {
  expect(withRecords).toHaveLength(41);
  expect(new Set(exports.map(({ fileName }) => fileName)).size).toBe(6);
});

test.each(withRecords.map(({ name }) => name))("no value is wrong in silence: %s", async (name) => {
  const { class: found, notes } = (await judgementOf(name)) ?? {};
  expect(found === "silent" ? notes : []).toEqual([]);
});

test(`${fewestRight} exports are stored right at once or after the questions are answered`, async () => {
  const right = (await judgements).filter((one) => one.class === "right" || one.class === "asked");
  expect(right.length).toBeGreaterThanOrEqual(fewestRight);
});

test.each(withoutRecords.map(({ name }) => name))("a file without records is refused: %s", async (name) => {
  expect((await judgementOf(name))?.class).toBe("refused");
});

test("the page of results is current; write it with vitest --update", async () => {
  const page = new URL("../../../../docs/reference/foreign-exports.md", import.meta.url);
  await expect(resultsPage(await judgements)).toMatchFileSnapshot(page.pathname);
});
