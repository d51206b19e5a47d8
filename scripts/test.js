// `npm test`: build, checks and the tests that a change is likely to break. --full: everything else (`npm run test:full`).
// --check: types, lint, layers and format alone (`npm run check`). Stops at the first step that fails.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { trackedFiles } from "./security/repository.js";
import { readProcessorTimes, readResults, slowest, tooSlow } from "./suite/results.js";
import { StepFailed, StepRunner } from "./suite/run-steps.js";
import { projects, suites } from "./suite/suites.js";
import { belongsTo } from "./suite/test-files.js";

/** The maximum processor time of a fast test file; see CONTRIBUTING.md. */
const fastFileSeconds = 5;
const shownFiles = 10;

const name = process.argv.includes("--full") ? "full" : process.argv.includes("--check") ? "check" : "fast";
const suite = suites[name];
const folder = mkdtempSync(path.join(tmpdir(), "gatehouse-results-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const resultFile = path.join(folder, "vitest.json");
const noticeFile = path.join(folder, "notices.txt");
const timeFile = path.join(folder, "processor-times.ndjson");

const begun = performance.now();
const steps = new StepRunner({
  TEST_NOTICES: noticeFile,
  ...(name === "fast" ? { TEST_PROCESSOR_TIMES: timeFile } : {}),
  // Without these the linter of openapi.json asks the network for updates and reports its use.
  REDOCLY_TELEMETRY: "off",
  REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
});
/** The types of scripts need the declarations of the packages. No step of `check` needs the built console. */
const build = {
  title: "Build",
  command: name === "check" ? ["tsc", "-b"] : ["node", "scripts/build.js"],
};

let problem = "";
try {
  console.log(`\n=== Build and ${suite.checks.length} checks`);
  await steps.checks(build, suite.checks);
  if (suite.projects.length > 0) await runTests();
} catch (error) {
  if (!(error instanceof StepFailed)) throw error;
  problem = error.message;
}
conclude();

async function runTests() {
  const selected = suite.projects.flatMap((project) => ["--project", project]);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${resultFile}`];
  await steps.run({ title: "Tests", command: ["vitest", "run", ...selected, ...reporters] }, "inherit");
  let slow = tooSlow(readProcessorTimes(timeFile), fastFileSeconds);
  if (slow.length === 0) return;
  // Measured again alone: sharing caches and cores costs more than the calibration shows.
  rmSync(timeFile);
  const files = slow.map(({ file }) => file);
  const alone = ["vitest", "run", ...selected, "--no-file-parallelism", ...files];
  await steps.run({ title: "Files that took long, alone", command: alone }, "inherit");
  slow = tooSlow(readProcessorTimes(timeFile), fastFileSeconds);
  if (slow.length === 0) return;
  for (const { file, seconds } of slow)
    console.log(
      `${file} takes ${seconds.toFixed(1)} s of processor time, and a fast file may take ${fastFileSeconds} s. Make it faster, or rename it to *.slow.test.ts.`,
    );
  throw new StepFailed("Fast tests stay fast");
}

/** Prints the summary. The counts are on a separate line, in a form that programs can read. */
function conclude() {
  const { passed, failed, skipped, failures, files } = readResults(resultFile);
  if (files.length > 0) {
    console.log(`\nSlowest files, in elapsed time:`);
    for (const { file, seconds } of slowest(files, shownFiles))
      console.log(`${seconds.toFixed(1).padStart(7)} s  ${file}`);
  }
  if (name === "fast") console.log(`\n${leftToFull()}`);
  for (const failure of failures) console.log(`failed: ${failure}`);
  if (problem !== "") console.error(`\nFAILED: ${problem}`);
  console.log(`\n${suite.command} took ${((performance.now() - begun) / 1000).toFixed(0)} s.`);
  const notRun = skipped > 0 ? `, ${skipped} skipped` : "";
  console.log(`${passed} passed, ${Math.max(failed, problem === "" ? 0 : 1)} failed${notRun}`);
  if (existsSync(noticeFile)) console.log(readFileSync(noticeFile, "utf8").trimEnd());
  process.exit(problem === "" ? 0 : 1);
}

function leftToFull() {
  const { full } = suites;
  const tracked = trackedFiles();
  const counts = full.projects.map((project) => {
    const count = tracked.filter((file) => belongsTo(projects[project], file)).length;
    return `${count} files of ${project}`;
  });
  const checks = full.checks.map(({ title }) => `"${title}"`);
  return `Left to ${full.command}: ${[...counts, ...checks].join(", ")}.`;
}
