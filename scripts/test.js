// Everything that decides whether a change is good, what fails fastest first. Stops at the first failure. The checks need
// the build but not one another, so they run side by side; the tests and the benchmarks have the machine for themselves.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), "gatehouse-results-"));
const resultFile = path.join(folder, "vitest.json");
const noticeFile = path.join(folder, "notices.txt");
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

/** @typedef {[title: string, program: string, programArguments: string[]]} Step */

/** @type {Step} */
const build = ["Build", "node", ["scripts/build.js"]];
/**
 * The longest first, so that none is left to run alone at the end.
 * @type {Step[]}
 */
const checks = [
  ["Platforms: linux x64 and arm64", "node", ["scripts/platforms/check.js"]],
  ["Security: regular expressions", "node", ["scripts/security/regular-expressions.js"]],
  ["Security: secrets", "node", ["scripts/security/secrets.js"]],
  ["Lint", "oxlint", ["--deny-warnings"]],
  ["Layers: who may import whom", "node", ["scripts/layers/check.js"]],
  ["OpenAPI rules", "redocly", ["lint", "openapi.json"]],
  ["Types", "tsc", ["-p", "tsconfig.check.json"]],
  ["Types of the console", "tsc", ["-p", "packages/console"]],
  ["Unused files, exports and dependencies", "knip", []],
  ["Types of scripts and benchmarks", "tsc", ["-p", "tsconfig.scripts.json"]],
  ["Security: known holes in dependencies", "node", ["scripts/security/audit.js"]],
  ["Generated files: openapi.json", "node", ["scripts/openapi.js", "--check"]],
  ["Generated files: examples", "node", ["scripts/collections.js", "--check"]],
  ["Generated files: docs/reference", "node", ["scripts/docs.js", "--check"]],
  ["Versions: the changelog decides", "node", ["scripts/release/version.js", "--check"]],
  ["Format", "oxfmt", ["--check", "."]],
  ["Security: lockfile", "node", ["scripts/security/lockfile.js"]],
  ["Mutants: their patches fit", "node", ["scripts/mutants.js", "--check"]],
];
const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${resultFile}`];
/** @type {Step} */
const tests = ["Tests", "vitest", ["run", ...reporters]];
// The benches that show a mistake soonest; `npm run bench` has all of them, at full length.
const shortBenches = ["locations", "leads", "imports-copy", "imports-replay"];
/** @type {Step} */
const benches = ["Benchmarks, short", "node", ["bench/run.js", "--short", ...shortBenches]];
/** @type {Step} */
const profile = ["Profile of an import, short", "node", ["bench/profile/import.js", "--short"]];

const begun = performance.now();
const underWay = new Set();
await run(build, "inherit");
await sideBySide(checks);
await run(tests, "inherit");
await run(benches, "inherit");
await run(profile, "inherit");
console.log(`\nAll steps passed in ${seconds(begun)}.`);
conclude(0);

async function sideBySide(steps) {
  const waiting = [...steps];
  const oneAfterTheOther = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await run(next, "pipe");
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), steps.length) }, oneAfterTheOther));
}

/** What a step says is shown at once, or, while others speak too ("pipe"), when it has ended. */
async function run([title, program, programArguments], output) {
  if (output === "inherit") console.log(`\n=== ${title}`);
  const stepBegun = performance.now();
  const child = spawn(binary(program), programArguments, {
    cwd: root,
    stdio: ["inherit", output, output],
    shell: process.platform === "win32",
    env: {
      ...process.env,
      TEST_NOTICES: noticeFile,
      // The linter of the OpenAPI document would ask the network for updates and report its use otherwise.
      REDOCLY_TELEMETRY: "off",
      REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
    },
  });
  underWay.add(child);
  const said = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => said.push(chunk));
  const problem = await new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("close", (status, signal) =>
      resolve(status === 0 ? undefined : `it ended with ${signal ?? status}`),
    );
  });
  underWay.delete(child);
  if (output === "pipe") console.log(`\n=== ${title}\n${Buffer.concat(said)}`.trimEnd());
  console.log(`--- ${title}: ${seconds(stepBegun)}`);
  if (problem === undefined) return;
  for (const other of underWay) other.kill();
  console.error(`\nFAILED: ${title} (${problem})`);
  conclude(1);
}

/** Names the tests that failed, counts them all, a failure outside of them as one, and says last what was left out. */
function conclude(failedSteps) {
  const { passed, failed, skipped, failures } = results();
  for (const failure of failures) console.log(`failed: ${failure}`);
  const left = skipped > 0 ? `, ${skipped} skipped` : "";
  console.log(`${passed} passed, ${Math.max(failed, failedSteps)} failed${left}`);
  if (existsSync(noticeFile)) console.log(readFileSync(noticeFile, "utf8").trimEnd());
  process.exit(failedSteps);
}

function results() {
  if (!existsSync(resultFile)) return { passed: 0, failed: 0, skipped: 0, failures: [] };
  const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(
    readFileSync(resultFile, "utf8"),
  );
  return {
    passed: numPassedTests,
    failed: numFailedTests,
    skipped: numPendingTests,
    failures: testResults.flatMap(failuresOf),
  };
}

/** Of one file: a line for each test that failed, or for the file itself where none could be run. */
function failuresOf({ name, status, message, assertionResults }) {
  const file = path.relative(root, name);
  const failed = assertionResults.filter((test) => test.status === "failed");
  if (failed.length === 0 && status === "failed") return [`${file}: ${firstLine(message)}`];
  return failed.map(
    ({ fullName, failureMessages }) => `${file} > ${fullName}: ${firstLine(failureMessages[0])}`,
  );
}

function firstLine(text = "") {
  return text.split("\n", 1)[0];
}

function binary(name) {
  if (name === "node") return process.execPath;
  return path.join(root, "node_modules/.bin", name);
}

function seconds(since) {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}
