// Generated mutants: npm run mutants -- --generated [checkers|gate|engine|part of a file's name]... [--sample N]
// [--state FILE]. What is known of a mutant is written down as soon as it is, in the state file, and not tried again
// while its file is the same; so a run can be ended at any time and gone on with. --sample tries that many, drawn with
// RIG_SEED or a new seed. Without a sample the figures go to acceptance/generated-mutants/results.json and docs/mutants.md.
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { availableParallelism } from "node:os";
import { allMutants, keyOf, readExplained } from "./explained.js";
import { page } from "./page.js";
import { root, subjects } from "./subjects.js";
import { prepare, reachOf, tryMutants } from "./try.js";

const resultsFile = path.join(root, "acceptance/generated-mutants/results.json");
const largestSeed = 2 ** 31;

export async function runGenerated(programArguments) {
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
  const option = (name) => {
    const place = programArguments.indexOf(name);
    return place === -1 ? undefined : programArguments.splice(place, 2)[1];
  };
  const sample = option("--sample");
  const stateFile = path.resolve(option("--state") ?? path.join(root, "dist/mutants.ndjson"));
  const named = programArguments.filter((argument) => !argument.startsWith("--"));
  mkdirSync(path.dirname(stateFile), { recursive: true });
  const known = readState(stateFile);
  const seed = Number(process.env.RIG_SEED ?? Math.floor(Math.random() * largestSeed));
  if (sample) console.log(`a sample of ${sample} mutants, RIG_SEED=${seed}`);

  const explained = new Set(readExplained().map(keyOf));
  const isWanted = choose(named, sample && Number(sample), seed);
  // One that survived is tried again, with the tests that were written since, unless it is explained.
  const isSettled = (mutant) => {
    const outcome = known.get(stateKey(mutant))?.outcome;
    return outcome !== undefined && (outcome.startsWith("noticed") || explained.has(keyOf(mutant)));
  };
  let [tried, unexplained] = [0, 0];
  for (const subject of subjects) {
    const open = allMutants(subject).filter((mutant) => isWanted(mutant, subject) && !isSettled(mutant));
    if (open.length === 0) continue;
    tried += open.length;
    unexplained += await trySubject(subject, open, { stateFile, explained });
  }
  if (!sample) writeResults(readState(stateFile));
  return { seed, tried, unexplained };
}

async function trySubject(subject, open, { stateFile, explained }) {
  const place = prepare(subject);
  const begun = performance.now();
  let [done, unexplained] = [0, 0];
  try {
    const reach = await reachOf(place, subject.tests);
    const wanted = new Set(open.map(({ number }) => number));
    await tryMutants(
      place,
      place.mutants.filter(({ number }) => wanted.has(number)),
      reach,
      (mutant, outcome) => {
        appendFileSync(
          stateFile,
          `${JSON.stringify({ key: stateKey(mutant), on: today(), outcome, mutant })}\n`,
        );
        done += 1;
        const isFound = outcome.startsWith("noticed") || explained.has(keyOf(mutant));
        if (!isFound) unexplained += 1;
        const { file, line, original, mutated } = mutant;
        if (!isFound)
          console.log(`${outcome.toUpperCase()}: ${file}:${line} ${original} -> ${mutated || "nothing"}`);
        if (done % 20 === 0)
          console.log(
            `${subject.name}: ${done} of ${open.length} in ${Math.round((performance.now() - begun) / 1000)} s`,
          );
      },
    );
  } finally {
    place.remove();
  }
  return unexplained;
}

/** Which mutants are wanted: those of the named subjects or files, or all; and of these a sample. */
function choose(named, sample, seed) {
  const fits = ({ file }, { name }) =>
    named.length === 0 || named.some((part) => part === name || file.includes(part));
  if (!sample) return fits;
  const rank = (mutant) =>
    createHash("sha256")
      .update(`${seed} ${keyOf(mutant)}`)
      .digest("hex");
  const all = subjects.flatMap((subject) => allMutants(subject).filter((mutant) => fits(mutant, subject)));
  const drawn = new Set(
    all
      .toSorted((one, other) => (rank(one) < rank(other) ? -1 : 1))
      .slice(0, sample)
      .map(keyOf),
  );
  return (mutant) => drawn.has(keyOf(mutant));
}

/** A mutant of a file as it is now. */
function stateKey(mutant) {
  const text = readFileSync(path.join(root, mutant.file), "utf8");
  return createHash("sha256").update(text).update(keyOf(mutant)).digest("hex");
}

export function readState(stateFile) {
  const lines = existsSync(stateFile) ? readFileSync(stateFile, "utf8").split("\n").filter(Boolean) : [];
  return new Map(lines.map((line) => JSON.parse(line)).map((entry) => [entry.key, entry]));
}

/** The figures of each file, and the page. */
export function writeResults(known) {
  const explained = new Set(readExplained().map(keyOf));
  const files = subjects.flatMap((subject) =>
    subject.files.map((file) => {
      const mutants = allMutants(subject).filter((mutant) => mutant.file === file);
      const entries = mutants.map((mutant) => known.get(stateKey(mutant))).filter(Boolean);
      const survivors = entries.filter(({ outcome }) => !outcome.startsWith("noticed"));
      return {
        subject: subject.name,
        file,
        mutants: mutants.length,
        tried: entries.length,
        noticed: entries.length - survivors.length,
        explained: survivors.filter(({ mutant }) => explained.has(keyOf(mutant))).length,
        on:
          entries
            .map(({ on }) => on)
            .toSorted()
            .at(-1) ?? null,
      };
    }),
  );
  const machine = `Node ${process.versions.node} on ${availableParallelism()} cores`;
  writeFileSync(resultsFile, `${JSON.stringify({ machine, files }, null, 2)}\n`);
  writeFileSync(path.join(root, "docs/mutants.md"), page());
}

function today() {
  return new Date().toISOString().slice(0, 10);
}
