import { availableParallelism } from "node:os";
import path from "node:path";
import { rows } from "./rows.js";

/** docs/proofs.md: what was run and what held. `days` are those on which it was run. */
export function page({ isShort, days, tests, held, mutants }) {
  return `# What the service survives, and how it is shown

The promise: an acknowledged record is stored exactly once, whatever dies; a replay is always safe; one organization
never sees, touches or slows another; bad input gets a clear answer and costs little. Each row below is a rig that tries
to break it. \`npm test && npm run test:full\` runs all of them but the proxies, the pooler and the cluster in a short form, with the same random choices every time (400 histories of the
model); \`npm run rigs\` runs them in a long form, with new ones (20,000 histories), and also writes this page.

This page: ${isShort ? "the short form" : "the long form"}, run on ${days.join(" and ")} with Node
${process.versions.node} on ${availableParallelism()} cores, which service, PostgreSQL and rigs share. A rig repeats its
choices with \`RIG_SEED\` set to the seed; what the machine does in the meantime it cannot repeat.

| Rig | What it does | Holds when | Outcome | Where |
| --- | --- | --- | --- | --- |
${rows.map((row) => rowOf(row, tests)).join("\n")}

## What the rigs measured

${rows.flatMap((row) => measuredBy(row, held)).join("\n\n")}

## The rigs can fail

Each of these mutants breaks one promise; \`npm run mutants\` applies it to a copy of the service and requires the test
beside it to fail, after it has passed without it.

| Mutant | What is wrong with it | Caught by | Outcome |
| --- | --- | --- | --- |
${mutants.map(({ name, what, caughtBy, caught }) => line([link(`acceptance/mutants/${name}.patch`), what, `\`${caughtBy}\``, caught ? "caught" : "**not caught**"])).join("\n")}
`;
}

function rowOf({ title, does, holds, files }, tests) {
  const results = tests.filter(({ name }) => files.some((file) => name.endsWith(file)));
  const assertions = results.flatMap(({ assertionResults }) => assertionResults);
  const passed = assertions.filter(({ status }) => status === "passed").length;
  const seconds = results.reduce(
    (sum, { startTime = 0, endTime = 0 }) => sum + (endTime - startTime) / 1000,
    0,
  );
  const outcome = () => {
    if (assertions.length === 0) return "has a long form only";
    return passed === assertions.length
      ? `held: ${passed} tests in ${Math.ceil(seconds)} s`
      : `**${assertions.length - passed} of ${assertions.length} tests failed**`;
  };
  return line([title, does, holds, outcome(), files.map(link).join(", ")]);
}

/** @param {{ rigs?: string[] }} row */
function measuredBy({ rigs = [] }, held) {
  return held
    .filter(({ rig }) => rigs.includes(rig))
    .map(({ rig, seed, seconds, facts }) => {
      const told = Object.entries(facts).map(([what, value]) => `${what}: ${value}`);
      return `**${rig}** (seed ${seed}, ${seconds} s): ${told.join("; ")}.`;
    });
}

function line(cells) {
  return `| ${cells.map((cell) => String(cell).replaceAll("|", "\\|")).join(" | ")} |`;
}

function link(file) {
  return `[${path.basename(file)}](../${file})`;
}
