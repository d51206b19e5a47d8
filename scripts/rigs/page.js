import { availableParallelism } from "node:os";
import path from "node:path";
import { rows } from "./rows.js";

/** docs/proofs.md: the results of a run. `days` are its dates. */
export function page(
  /** @type {{ isShort: boolean, days: string[], tests: any, held: any, mutants: any }} */ {
    isShort,
    days,
    tests,
    held,
    mutants,
  },
) {
  return `# Failure tests and their results

The promise: an acknowledged record is stored exactly once, even if processes and machines die; a resend is safe; one organization never
sees or changes data of another; bad input gets a clear answer and costs little. Each row below is a test (a rig) that tries to break it.
\`npm test && npm run test:full\` runs all rigs except the proxies, the pooler and the cluster in a short form, with the same random choices
every time (150 histories of the model). \`npm run rigs\` runs them in a long form with new choices (20,000 histories) and writes this page.

This page: ${isShort ? "the short form" : "the long form"}, run on ${days.join(" and ")} with Node
${process.versions.node} on ${availableParallelism()} cores, shared by service, PostgreSQL and rigs. To repeat a rig's
choices, set \`RIG_SEED\` to its seed; the timing of the machine is not repeatable.

| Rig | What it does | Holds when | Outcome | Where |
| --- | --- | --- | --- | --- |
${rows.map((row) => rowOf(row, tests)).join("\n")}

## Measurements

${rows.flatMap((row) => measuredBy(row, held)).join("\n\n")}

## The rigs can fail

Each mutant breaks one promise; \`npm run mutants\` applies it to a copy of the service and requires the test
to fail that passed without it.

| Mutant | Defect | Caught by | Outcome |
| --- | --- | --- | --- |
${mutants.map((/** @type {{ name: string, what: string, caughtBy: string, caught: boolean }} */ { name, what, caughtBy, caught }) => line([link(`acceptance/mutants/${name}.patch`), what, `\`${caughtBy}\``, caught ? "caught" : "**not caught**"])).join("\n")}
`;
}

function rowOf(
  /** @type {{ title: string, does: string, holds: string, files: string[] }} */ {
    title,
    does,
    holds,
    files,
  },
  /** @type {any} */ tests,
) {
  const results = tests.filter((/** @type {{ name: string }} */ { name }) =>
    files.some((/** @type {string} */ file) => name.endsWith(file)),
  );
  const assertions = results.flatMap(
    (/** @type {{ assertionResults: any }} */ { assertionResults }) => assertionResults,
  );
  const passed = assertions.filter((/** @type {{ status: any }} */ { status }) => status === "passed").length;
  const seconds = results.reduce(
    (/** @type {number} */ sum, { startTime = 0, endTime = 0 }) => sum + (endTime - startTime) / 1000,
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
function measuredBy({ rigs = [] }, /** @type {any} */ held) {
  return held
    .filter((/** @type {{ rig: string }} */ { rig }) => rigs.includes(rig))
    .map(
      (
        /** @type {{ rig: string, seed: number, seconds: number, facts: Record<string, number | string> }} */ {
          rig,
          seed,
          seconds,
          facts,
        },
      ) => {
        const told = Object.entries(facts).map(([what, value]) => `${what}: ${value}`);
        return `**${rig}** (seed ${seed}, ${seconds} s): ${told.join("; ")}.`;
      },
    );
}

function line(/** @type {unknown[]} */ cells) {
  return `| ${cells.map((/** @type {unknown} */ cell) => String(cell).replaceAll("|", "\\|")).join(" | ")} |`;
}

function link(/** @type {string} */ file) {
  return `[${path.basename(file)}](../${file})`;
}
