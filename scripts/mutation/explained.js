// The list of mutants that no test notices, each with the reason why none could or should.
import { readFileSync } from "node:fs";
import path from "node:path";
import { mutate } from "./generate.js";
import { root, subjects } from "./subjects.js";

export const explainedFile = "acceptance/generated-mutants/explained.json";

/** `[{ file, within, kind, original, mutated, nth, reason }]` */
export function readExplained() {
  return JSON.parse(readFileSync(path.join(root, explainedFile), "utf8"));
}

/** All mutants of a subject, numbered as in the copy that they are tried in. */
export function allMutants(subject) {
  const mutants = [];
  for (const file of subject.files)
    mutants.push(...mutate(file, readFileSync(path.join(root, file), "utf8"), mutants.length + 1).mutants);
  return mutants;
}

/** What a mutant is known by: not its line, which moves. */
export function keyOf({ file, within, kind, original, mutated, nth }) {
  return JSON.stringify([file, within, kind, original, mutated, nth]);
}

/** That every mutant of the list can still be made, and has a reason of its own. */
export function checkExplained(explained = readExplained()) {
  const known = new Set(subjects.flatMap(allMutants).map(keyOf));
  const keys = explained.map(keyOf);
  const problems = explained.flatMap((one, index) =>
    [
      ...(known.has(keys[index]) ? [] : ["is no mutant of the sources any more"]),
      ...(keys.indexOf(keys[index]) === index ? [] : ["is listed twice"]),
      ...(one.reason?.length > 20 ? [] : ["has no reason"]),
    ].map((problem) => `${one.file}, ${one.within}: ${one.original} -> ${one.mutated} ${problem}`),
  );
  if (problems.length > 0) throw new Error(`${explainedFile} does not fit:\n${problems.join("\n")}`);
}
