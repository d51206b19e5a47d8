// Shows that the tests can fail: each patch in acceptance/mutants breaks one promise of the service in a copy, and the
// test that it names must fail. Runs all patches, or those named: node scripts/mutants.js date-parse
// Each test must pass without its patch first; --after-tests skips that check. --check only verifies that the patches and
// the titles of the tests still match the sources.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { keepConsole, makeCopy } from "./repository-copy.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const patches = path.join(root, "acceptance/mutants");
const timeoutMs = 300_000;
const isAfterTests = process.argv.includes("--after-tests");

/** Returns the result of each mutant: {name, what, caughtBy, caught, seconds}. */
export function runMutants(names = namesOfMutants()) {
  return names.map((name) => {
    const text = patchText(name);
    const [, what = ""] = /^What is wrong: (.*)$/m.exec(text) ?? [];
    const caughtBy = testOfMutant(name);
    const begun = performance.now();
    const caught = isCaught(name, caughtBy);
    const seconds = Math.round((performance.now() - begun) / 1000);
    console.log(`mutant ${name}: ${caught ? "caught" : "NOT CAUGHT"} in ${seconds} s by ${caughtBy}`);
    return { name, what, caughtBy, caught, seconds };
  });
}

export function namesOfMutants() {
  return readdirSync(patches).map((file) => path.basename(file, ".patch"));
}

/**
 * The arguments for vitest: a file, and optionally -t with a title.
 * @param {string} name
 */
export function testOfMutant(name) {
  return /^Caught by: (.*)$/m.exec(patchText(name))?.[1] ?? "";
}

function patchText(/** @type {string} */ name) {
  return readFileSync(path.join(patches, `${name}.patch`), "utf8");
}

function isCaught(/** @type {string} */ name, /** @type {string} */ caughtBy) {
  const copy = mkdtempSync(path.join(tmpdir(), "gatehouse-mutant-"));
  try {
    makeCopy(copy);
    // The same test must pass without the patch; otherwise its failure proves nothing.
    if (!isAfterTests && failedTests(copy, caughtBy) > 0)
      throw new Error(`${caughtBy} fails even without ${name}`);
    for (const { file, text } of patched(name)) writeFileSync(path.join(copy, file), text);
    keepConsole(copy);
    run(copy, process.execPath, ["scripts/build.js"]);
    return failedTests(copy, caughtBy) > 0;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** The changed files with the patch applied. The text that the patch expects must occur exactly once. */
function patched(/** @type {string} */ name) {
  return [...patchText(name).matchAll(/^\+\+\+ b\/(.*)\n((?:[-+ @].*\n)*)/gm)].map(
    ([, file = "", hunks = ""]) => {
      let text = readFileSync(path.join(root, file), "utf8");
      for (const hunk of hunks.split(/^@@ .*\n/m).slice(1)) {
        const lines = hunk.split("\n").slice(0, -1);
        const side = (/** @type {string} */ other) =>
          lines.filter((each) => !each.startsWith(other)).map((each) => `${each.slice(1)}\n`);
        const [before, after] = [side("+").join(""), side("-").join("")];
        if (text.split(before).length !== 2) throw new Error(`${name}.patch no longer fits ${file}`);
        text = text.replace(before, () => after);
      }
      return { file, text };
    },
  );
}

function failedTests(/** @type {string} */ copy, /** @type {string} */ test) {
  const result = path.join(copy, "result.json");
  rmSync(result, { force: true });
  const testArguments = [...test.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain = ""]) =>
    quoted === undefined ? plain : quoted.replace(/[()]/g, "\\$&"),
  );
  const vitest = path.join(copy, "node_modules/.bin/vitest");
  spawnSync(vitest, ["run", ...testArguments, "--reporter=json", `--outputFile=${result}`], {
    cwd: copy,
    stdio: "ignore",
    timeout: timeoutMs,
  });
  if (!existsSync(result)) throw new Error(`${test} did not run`);
  const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(result, "utf8"));
  if (numPassedTests + numFailedTests === 0) throw new Error(`${test} names no test`);
  return numFailedTests;
}

function run(
  /** @type {string} */ cwd,
  /** @type {string} */ program,
  /** @type {string[]} */ programArguments,
) {
  const { status, stderr, stdout } = spawnSync(program, programArguments, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${programArguments.join(" ")} failed:\n${stdout}${stderr}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));

function main(/** @type {string[]} */ programArguments) {
  const isCheck = programArguments.includes("--check");
  const named = programArguments.filter((/** @type {string} */ argument) => !argument.startsWith("--"));
  const names = named.length > 0 ? named : namesOfMutants();
  if (!isCheck) {
    process.exitCode = runMutants(names).some(({ caught }) => !caught) ? 1 : 0;
    return;
  }
  for (const name of names) {
    if (patched(name).length === 0) throw new Error(`${name}.patch changes nothing`);
    const [, file = "", title = ""] = /^(\S+)(?: -t "(.*)")?$/.exec(testOfMutant(name)) ?? [];
    if (!readFileSync(path.join(root, file), "utf8").includes(title))
      throw new Error(`${name}.patch is caught by "${title}", which is not in ${file}`);
  }
}
