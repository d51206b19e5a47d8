/**
 * node bench/run.js [name...] [--short]
 *
 * Runs the benchmarks, prints the results and writes results/<name>.json. Each is a ratio to a reference measured in the
 * same run, and fails below its goal. --short only checks that the benchmarks work: its figures are too noisy to publish,
 * and a ratio fails only below the benchmark's `leastInShort`.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { benchmarks } from "./benchmarks.js";
import { openEnvironment } from "./harness/environment.js";

const results = fileURLToPath(new URL("results/", import.meta.url));
const wanted = process.argv.slice(2).filter((argument) => argument !== "--short");
const isShort = process.argv.includes("--short");
const duration = isShort ? { rounds: 1, seconds: 0, isShort } : { rounds: 7, seconds: 8, isShort };

const unknown = wanted.find((name) => !Object.hasOwn(benchmarks, name));
if (unknown !== undefined) {
  console.error(`Unknown benchmark ${unknown}. Benchmarks: ${Object.keys(benchmarks).join(", ")}`);
  process.exit(1);
}

let missed = 0;
for (const [name, benchmark] of Object.entries(benchmarks)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const { title, goal, leastInShort, measure, describeRound = describeRates } = benchmark;
  console.log(`\n${name}: ${title}`);
  const environment = await openEnvironment();
  try {
    const result = await measure({
      environment,
      ...duration,
      onRound: (/** @type {any} */ round) => console.log(`  ${describeRound(round)}`),
    });
    const least = isShort ? leastInShort : goal;
    const isMissed = least !== undefined && result.ratio < least;
    if (isMissed) missed += 1;
    const judged = isMissed ? "MISSED" : least === undefined ? "not judged in a short run" : "met";
    console.log(`  ratio ${result.ratio.toFixed(2)} (goal ${least ?? goal}: ${judged})`);
    if (!isShort) await writeResult(name, { title, goal, ...result });
  } finally {
    await environment.close();
  }
}
process.exitCode = missed === 0 ? 0 : 1;

/** @param {import("./harness/compare.js").Round} round */
function describeRates({ serviceRate, referenceRate, ratio }) {
  return `service ${serviceRate.toFixed(0)}/s   reference ${referenceRate.toFixed(0)}/s   ratio ${ratio.toFixed(2)}`;
}

/**
 * @param {string} name
 * @param {object} result
 */
async function writeResult(name, result) {
  const machine = { node: process.version, cpus: cpus().length, model: cpus()[0]?.model ?? "unknown" };
  await mkdir(results, { recursive: true });
  const document = { date: new Date().toISOString(), machine, ...result };
  await writeFile(`${results}${name}.json`, `${JSON.stringify(document, null, 2)}\n`);
}
