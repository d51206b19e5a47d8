// Everything that decides whether a change is good, in the order in which it fails fastest. Stops at the first failure.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), "gatehouse-results-"));
const resultFile = path.join(folder, "vitest.json");
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

const steps = [
  ["Build", "node", ["scripts/build.js"]],
  ["Lint", "oxlint", ["--deny-warnings"]],
  ["Format", "oxfmt", ["--check", "."]],
  ["Types", "tsc", ["-p", "tsconfig.check.json"]],
  ["Types of the console", "tsc", ["-p", "packages/console"]],
  ["Generated files: openapi.json", "node", ["scripts/openapi.js", "--check"]],
  ["Generated files: examples", "node", ["scripts/collections.js", "--check"]],
  ["Generated files: docs/reference", "node", ["scripts/docs.js", "--check"]],
  ["Versions: the changelog decides", "node", ["scripts/release/version.js", "--check"]],
  ["OpenAPI rules", "redocly", ["lint", "openapi.json"]],
  ["Security: lockfile", "node", ["scripts/security/lockfile.js"]],
  ["Platforms: linux x64 and arm64", "node", ["scripts/platforms/check.js"]],
  ["Security: known holes in dependencies", "node", ["scripts/security/audit.js"]],
  ["Security: secrets", "node", ["scripts/security/secrets.js"]],
  ["Security: regular expressions", "node", ["scripts/security/regular-expressions.js"]],
  ["Mutants: their patches fit", "node", ["scripts/mutants.js", "--check"]],
  ["Tests", "vitest", ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${resultFile}`]],
];
// The benches that show a mistake soonest; `npm run bench` has all of them, at full length.
const shortBenches = ["locations", "leads", "imports-copy", "imports-replay"];
steps.push(["Benchmarks, short", "node", ["bench/run.js", "--short", ...shortBenches]]);

const begun = performance.now();
for (const [title, program, programArguments] of steps) {
  console.log(`\n=== ${title}`);
  const stepBegun = performance.now();
  const { status, error } = spawnSync(binary(program), programArguments, {
    cwd: root,
    stdio: "inherit",
    shell: process.platform === "win32",
    // The linter of the OpenAPI document would ask the network for updates and report its use otherwise.
    env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
  });
  console.log(`--- ${title}: ${seconds(stepBegun)}`);
  if (status !== 0) {
    console.error(`\nFAILED: ${title}${error ? ` (${error.message})` : ""}`);
    console.error(summary(1));
    process.exit(1);
  }
}
console.log(`\nAll steps passed in ${seconds(begun)}.`);
console.log(summary(0));

function binary(name) {
  if (name === "node") return process.execPath;
  return path.join(root, "node_modules/.bin", name);
}

function seconds(since) {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}

/** Counts the single tests; a failure outside of them counts as one. */
function summary(failedSteps) {
  if (!existsSync(resultFile)) return `0 passed, ${failedSteps} failed`;
  const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(resultFile, "utf8"));
  return `${numPassedTests} passed, ${Math.max(numFailedTests, failedSteps)} failed`;
}
