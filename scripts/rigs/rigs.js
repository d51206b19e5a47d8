// Runs every rig in its long form and writes docs/proofs.md, the page of what was run and what held. --short runs the
// form that the test command runs. A seed is given as RIG_SEED=number; without it every rig draws a new one, or in the
// short form begins with the same one, and says so. --histories FOLDER keeps what the fault rig has recorded, for
// acceptance/rigs/check-history.py. --state FOLDER keeps the outcome of each file, so that a run can be ended at any time
// and gone on with: what has held is not run again. A folder is for one state of the sources. Files that are named are run
// alone, and no page is written: those that measure want a quiet machine, and the others do not.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { namesOfMutants, runMutants } from "../mutants.js";
import { page } from "./page.js";
import { rows } from "./rows.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { values: options, positionals: named } = parseArgs({
  options: { short: { type: "boolean" }, histories: { type: "string" }, state: { type: "string" } },
  allowPositionals: true,
});
const isShort = options.short === true;

const folder = path.resolve(options.state ?? temporaryFolder());
mkdirSync(folder, { recursive: true });

const files = [...new Set(rows.flatMap((row) => row.files))];
const isNamed = (/** @type {string} */ file) =>
  named.length === 0 || named.some((part) => file.includes(part));
const ran = files.filter(isNamed).map((file) =>
  once(
    `tests ${file}`,
    (/** @type {{ tests: any }} */ { tests }) => tests.status === "passed",
    () => runTests(file),
  ),
);
const holds = ran.every(({ tests }) => tests.status === "passed");
process.exitCode = (named.length > 0 || tryMutantsAndWritePage()) && holds ? 0 : 1;

function tryMutantsAndWritePage() {
  const mutants = namesOfMutants().map((name) =>
    once(
      `mutant ${name}`,
      (/** @type {{ caught: boolean }} */ { caught }) => caught,
      () => runMutants([name])[0],
    ),
  );
  const days = [...new Set(ran.map(({ day }) => day))].toSorted();
  const tests = ran.map((outcome) => outcome.tests);
  const held = ran.flatMap((outcome) => outcome.held);
  writeFileSync(path.join(root, "docs/proofs.md"), page({ isShort, days, tests, held, mutants }));
  console.log("wrote docs/proofs.md");
  return mutants.every(({ caught }) => caught);
}

/** Returns the stored result if it passed; otherwise runs the test and stores the result. */
function once(
  /** @type {string} */ name,
  /** @type {(outcome: any) => boolean} */ isGood,
  /** @type {() => any} */ run,
) {
  const file = path.join(folder, `${name.replaceAll("/", "_")}.json`);
  if (existsSync(file)) {
    const known = JSON.parse(readFileSync(file, "utf8"));
    if (isGood(known)) return known;
  }
  const outcome = run();
  writeFileSync(file, JSON.stringify(outcome));
  return outcome;
}

/** One file after the other, so that they do not affect each other's measurements. */
function runTests(/** @type {string} */ file) {
  const rigResults = path.join(folder, "rigs.jsonl");
  const testResults = path.join(folder, "vitest.json");
  for (const each of [rigResults, testResults]) rmSync(each, { force: true });
  spawnSync(
    path.join(root, "node_modules/.bin/vitest"),
    [
      "run",
      "--maxWorkers=1",
      file,
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${testResults}`,
    ],
    {
      cwd: root,
      stdio: "inherit",
      env: {
        ...process.env,
        RIG_RESULTS: rigResults,
        ...(isShort ? {} : { RIGS: "long" }),
        ...(options.histories ? { RIG_HISTORIES: path.resolve(options.histories) } : {}),
      },
    },
  );
  const { testResults: found } = JSON.parse(readFileSync(testResults, "utf8"));
  // The short form has files without tests.
  const tests = found[0] ?? { name: file, status: isShort ? "passed" : "failed", assertionResults: [] };
  const lines = existsSync(rigResults) ? readFileSync(rigResults, "utf8").trim().split("\n") : [];
  return { tests, held: lines.map((line) => JSON.parse(line)), day: new Date().toISOString().slice(0, 10) };
}

function temporaryFolder() {
  const made = mkdtempSync(path.join(tmpdir(), "gatehouse-rigs-"));
  process.on("exit", () => rmSync(made, { recursive: true, force: true }));
  return made;
}
