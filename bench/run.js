/**
 * node bench/run.js [name...] [--short]
 *
 * Runs the benchmarks, each a ratio against a reference measured in the same run, prints them and writes
 * results/<name>.json. A ratio below its goal fails. --short shows that the benchmarks themselves work: its figures are
 * too noisy to be quoted or written, and a ratio fails only below the `leastInShort` that some benchmarks name.
 */
import { readdirSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { openEnvironment } from "./harness/environment.js";

const folder = fileURLToPath(new URL(".", import.meta.url));
const known = readdirSync(folder)
  .filter((file) => file.endsWith(".js") && file !== "run.js")
  .map((file) => file.replace(/\.js$/, ""));
const wanted = process.argv.slice(2).filter((argument) => argument !== "--short");
const isShort = process.argv.includes("--short");
const pace = isShort ? { rounds: 1, seconds: 0, isShort } : { rounds: 7, seconds: 8, isShort };

const unknown = wanted.find((name) => !known.includes(name));
if (unknown !== undefined) {
  console.error(`There is no benchmark ${unknown}; there are ${known.join(", ")}`);
  process.exit(1);
}

let missed = 0;
for (const name of wanted.length > 0 ? wanted : known) {
  const { title, goal, leastInShort, measure, describeRound = describeRates } = await import(`./${name}.js`);
  console.log(`\n${name}: ${title}`);
  const environment = await openEnvironment();
  try {
    const result = await measure({
      environment,
      ...pace,
      onRound: (/** @type {unknown} */ round) => console.log(`  ${describeRound(round)}`),
    });
    const least = isShort ? leastInShort : goal;
    const isMissed = least !== undefined && result.ratio < least;
    if (isMissed) missed += 1;
    const judged = isMissed ? "MISSED" : least === undefined ? "not judged by so short a run" : "met";
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
  await mkdir(`${folder}results`, { recursive: true });
  const document = { date: new Date().toISOString(), machine, ...result };
  await writeFile(`${folder}results/${name}.json`, `${JSON.stringify(document, null, 2)}\n`);
}
