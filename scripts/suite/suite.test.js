import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { namesOfMutants, testOfMutant } from "../mutants.js";
import { rows } from "../rigs/rows.js";
import { root, trackedFiles } from "../security/repository.js";
import { withSuites } from "./contributing-table.js";
import { tooSlow } from "./results.js";
import { clusterTests, longRigs, projects, suites } from "./suites.js";
import { belongsTo } from "./test-files.js";

/** @type {{ scripts: Record<string, string> }} */
const manifest = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));

test("every test file belongs to exactly one project, or needs other programs or a cluster", () => {
  const files = trackedFiles().filter((file) => /\.test\.[jt]sx?$/.test(file));
  expect(files.length).toBeGreaterThan(300);
  const elsewhere = [...longRigs, clusterTests];
  const homes = files.map((file) => ({
    file,
    projects: Object.keys(projects).filter((name) => belongsTo(projects[name], file)),
    isElsewhere: elsewhere.some((pattern) => path.matchesGlob(file, pattern)),
  }));
  expect(homes.filter((home) => home.projects.length !== (home.isElsewhere ? 0 : 1))).toEqual([]);
});

test("the fast and the full suite run every project once, and no check twice", () => {
  const { fast, full } = suites;
  expect([...fast.projects, ...full.projects].toSorted()).toEqual(Object.keys(projects).toSorted());
  const titles = [...fast.checks, ...full.checks].map(({ title }) => title);
  expect(new Set(titles).size).toBe(titles.length);
});

test("the scripts that a check names exist", () => {
  const named = [...suites.fast.checks, ...suites.full.checks].flatMap(({ command }) =>
    command.filter((argument) => argument.startsWith("scripts/")),
  );
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
});

test("CONTRIBUTING.md says what runs where (npm run docs writes the table)", () => {
  const page = readFileSync(path.join(root, "CONTRIBUTING.md"), "utf8");
  expect(withSuites(page)).toBe(page);
});

test("every npm script that CONTRIBUTING.md, README.md and .ci/run name exists", () => {
  const pages = ["CONTRIBUTING.md", "README.md", ".ci/run"].map((file) =>
    readFileSync(path.join(root, file), "utf8"),
  );
  const named = pages.flatMap((page) =>
    [...page.matchAll(/\bnpm run ([\w:]+)/g)].map(([, name]) => name ?? ""),
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !(name in manifest.scripts))).toEqual([]);
});

test(".ci/run runs a clean install, the fast suite and the full suite", () => {
  const script = readFileSync(path.join(root, ".ci/run"), "utf8");
  expect(script).toContain("npm ci && npm test && npm run test:full");
});

test("the test files that the rigs' page and the mutants name exist", () => {
  const ofRigs = rows.flatMap(({ files }) => files);
  const ofMutants = namesOfMutants().map((name) => testOfMutant(name).split(" ")[0] ?? "");
  expect([...ofRigs, ...ofMutants].filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
});

test("a fast file may take 5 s of processor time, and a busy machine does not make it fail", () => {
  const time = (/** @type {number} */ seconds, /** @type {number} */ calibrationMs) => ({
    file: `${seconds}.test.ts`,
    seconds,
    calibrationMs,
  });
  const quiet = [time(4.9, 3), time(5.1, 3), time(0.1, 3)];
  expect(tooSlow(quiet, 5)).toEqual([{ file: "5.1.test.ts", seconds: expect.closeTo(5.1) }]);
  // Beside programs that slow everything down by half, 4 s are 6 s, and 6 s are 9 s.
  const busy = [time(6, 4.5), time(9, 4.5)];
  expect(tooSlow(busy, 5)).toEqual([{ file: "9.test.ts", seconds: expect.closeTo(6) }]);
  // A faster machine shows that it is busy by its own quiet moments.
  expect(tooSlow([time(6, 3), time(0.1, 2)], 5)).toEqual([]);
});
