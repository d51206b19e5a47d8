// Tries mutants in a copy of the sources. The copy has all of them in it, and a process of the tests is kept for many:
// for every mutant and every test file that reaches it, a small test file is written that chooses the mutant and loads
// the tests anew. Whoever holds a process up for too long is counted as noticed, and the others go on in a new one.
import { spawn } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { makeCopy } from "../repository-copy.js";
import { mutate } from "./generate.js";
import { root } from "./subjects.js";

/** How long a process may say nothing before its mutant counts as noticed. One that waits says something every 5 s. */
const maxSilenceMs = 60_000;
/** The same for a process that is not running tests yet. */
const maxStartMs = 600_000;
const lookEveryMs = 1_000;
/** Mutants of one process. Fewer are lost when it is ended, more share the time it takes to start. */
const mutantsOfProcess = 60;
/** A mutant is tried with test files until they have taken this long without it; a quiet machine never does. */
const maxTestsMs = 600_000;
const wrappers = "packages/service/src/mutants";

const config = `
import { defineConfig } from "vitest/config";
class ByName { constructor() {} async shard(files) { return files; }
  async sort(files) { return [...files].sort((a, b) => (a.moduleId < b.moduleId ? -1 : 1)); } }
const conditions = ["source"];
export default defineConfig({
  resolve: { conditions }, ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: ["${wrappers}/*.test.js"], isolate: false, maxWorkers: 1, fileParallelism: false,
    setupFiles: ["./${wrappers}/runtime.js"], globalSetup: ["packages/service/testing/database-server.ts"],
    sequence: { sequencer: ByName }, testTimeout: 30_000, hookTimeout: 60_000, expect: { poll: { timeout: 15_000 } },
    dangerouslyIgnoreUnhandledErrors: true,
  },
});
`;

/** A copy with every mutant of the subject's files in it. */
export function prepare(subject) {
  const copy = mkdtempSync(path.join(tmpdir(), "gatehouse-mutants-"));
  makeCopy(copy);
  mkdirSync(path.join(copy, wrappers), { recursive: true });
  for (const file of ["runtime.js", "reporter.js"])
    copyFileSync(fileURLToPath(new URL(file, import.meta.url)), path.join(copy, wrappers, file));
  writeFileSync(path.join(copy, "vitest.config.ts"), config);
  const mutants = [];
  for (const file of subject.files) {
    const mutated = mutate(file, readFileSync(path.join(root, file), "utf8"), mutants.length + 1);
    mutants.push(...mutated.mutants);
    writeFileSync(path.join(copy, file), mutated.text);
  }
  return { copy, mutants, remove: () => rmSync(copy, { recursive: true, force: true }) };
}

/** What each test file reaches: `{ file, ms, reached, onLoad }`. They have to pass without a mutant. */
export async function reachOf({ copy }, tests) {
  const files = tests.map((file, index) => [
    `b${pad(index)}.test.js`,
    `import { withoutMutant } from "./runtime.js";\nawait withoutMutant("${file}", () => import("${from(file)}?reach"));\n`,
  ]);
  const facts = [];
  await run(copy, files, {}, (fact) => facts.push(fact));
  const failed = facts
    .filter(({ hasFailed }) => hasFailed)
    .map(({ module }) => tests[Number(module.slice(1, 6))]);
  if (failed.length > 0) throw new Error(`${failed.join(", ")} fail without a mutant`);
  return facts.filter(({ file }) => file);
}

/** Tries mutants and tells of each as soon as it is known: (mutant, outcome). */
export async function tryMutants({ copy }, mutants, reach, tell) {
  const onLoad = new Set(reach.flatMap((one) => one.onLoad));
  const testsOf = ({ number, file }, isStatic) => {
    const reaching = reach.filter(({ reached }) => isStatic || reached.includes(number));
    let sum = 0;
    return reaching
      .toSorted((one, other) => isBeside(other, file) - isBeside(one, file) || one.ms - other.ms)
      .filter(({ ms }) => (sum += ms) - ms < maxTestsMs);
  };
  const waiting = [];
  const alone = [];
  for (const mutant of mutants) {
    if (testsOf(mutant).length > 0) waiting.push(mutant);
    else if (onLoad.has(mutant.number)) alone.push(mutant);
    else tell(mutant, "not reached");
  }
  while (waiting.length > 0) {
    const part = waiting.splice(0, mutantsOfProcess);
    waiting.unshift(...(await tryTogether(copy, part, testsOf, tell)));
  }
  // What is decided while a module is loaded needs a process that loads it anew.
  for (const mutant of alone) {
    const rest = await tryTogether(copy, [mutant], (one) => testsOf(one, true), tell, {
      MUTANT: String(mutant.number),
    });
    if (rest.length > 0) throw new Error(`the mutant ${JSON.stringify(mutant)} could not be tried`);
  }
}

async function tryTogether(copy, part, testsOf, tell, variables = {}) {
  const byName = new Map();
  for (const mutant of part)
    for (const [index, { file }] of testsOf(mutant).entries())
      byName.set(`m${pad(mutant.number)}-${pad(index)}.test.js`, { mutant, file });
  const files = [...byName].map(([name, { mutant, file }]) => [name, wrapper(mutant.number, file)]);
  const left = new Map(part.map((mutant) => [mutant.number, mutant]));
  const finish = (mutant, outcome) => {
    if (left.delete(mutant?.number)) tell(mutant, outcome);
  };
  const ended = new Map();
  let underWay;
  const { wasEnded } = await run(copy, files, variables, ({ begun, module, hasFailed }) => {
    if (begun !== undefined) underWay = begun;
    if (module === undefined) return;
    const { mutant } = byName.get(module);
    ended.set(mutant, (ended.get(mutant) ?? 0) + 1);
    if (hasFailed) finish(mutant, "noticed");
    else if (ended.get(mutant) === testsOf(mutant).length) finish(mutant, "survived");
  });
  if (wasEnded) finish(left.get(underWay), "noticed: it did not end");
  if (left.size === part.length) throw new Error(`nothing was tried in ${copy}`);
  return [...left.values()];
}

/** Whether tests have the name of the file; these notice most. */
function isBeside(test, file) {
  return Number(path.basename(test.file).startsWith(path.basename(file, ".ts")));
}

function wrapper(number, file) {
  return `import { test } from "vitest";
import { withMutant } from "./runtime.js";
if (withMutant(${number}, "${file}")) await import("${from(file)}?mutant=${number}");
else test("it was noticed before", () => {});
`;
}

function from(file) {
  return path.relative(wrappers, file);
}

function pad(number) {
  return String(number).padStart(5, "0");
}

/** One process of the tests, until it ends or has been silent for too long. What it tells is passed on at once. */
async function run(copy, files, variables, hear) {
  const results = path.join(copy, "results.ndjson");
  const folder = path.join(copy, wrappers);
  writeFileSync(results, "");
  for (const [name, text] of files) writeFileSync(path.join(folder, name), text);
  const vitest = path.join(copy, "node_modules/.bin/vitest");
  const child = spawn(vitest, ["run", `--reporter=./${wrappers}/reporter.js`], {
    cwd: copy,
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, ...variables, MUTANT_RESULTS: results },
  });
  const said = [];
  child.stderr.on("data", (chunk) => said.push(chunk));
  let [heard, worker, wasEnded] = [0, undefined, false];
  const listen = () => {
    const lines = readFileSync(results, "utf8").split("\n").slice(0, -1);
    for (const line of lines.slice(heard)) {
      const fact = JSON.parse(line);
      worker = fact.worker ?? worker;
      hear(fact);
    }
    heard = lines.length;
  };
  // The runner itself goes on, and puts away what it has started.
  const endWorker = () => worker && process.kill(worker, "SIGKILL");
  const watch = setInterval(() => {
    listen();
    const silentMs = Date.now() - statSync(results).mtimeMs;
    if (wasEnded || silentMs < (worker ? maxSilenceMs : maxStartMs)) return;
    wasEnded = true;
    if (worker) endWorker();
    else child.kill("SIGINT");
  }, lookEveryMs);
  process.once("exit", endWorker);
  await new Promise((resolve) => child.once("close", resolve));
  process.off("exit", endWorker);
  clearInterval(watch);
  listen();
  for (const [name] of files) rmSync(path.join(folder, name));
  if (heard === 0) throw new Error(`no test has run: ${Buffer.concat(said)}`);
  return { wasEnded };
}
