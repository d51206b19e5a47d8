// docs/mutants.md, made of the figures of the last runs and the list of what is explained.
import { readFileSync } from "node:fs";
import path from "node:path";
import { explainedFile, readExplained } from "./explained.js";
import { root } from "./subjects.js";

export function page() {
  const { machine, files } = JSON.parse(
    readFileSync(path.join(root, "acceptance/generated-mutants/results.json"), "utf8"),
  );
  const explained = readExplained();
  return `# Generated mutants

A test that cannot fail shows nothing. So the sources of the checkers, the gate and the import engine are changed in every
place by a program, one small change at a time, and the tests have to notice each: conditions negated, comparisons and
numbers moved by one, \`&&\` and \`||\` exchanged, calls, awaits, results, defaults and throws dropped, texts emptied, flags turned.
Regular expressions and the inside of SQL are not changed. [ADR 0023](decisions/0023-mutants-of-our-own.md) says why the program is
our own; \`scripts/mutation\` is the program.

\`\`\`sh
npm run mutants -- --generated                    # all of them: hours; ended and started again it goes on where it was
npm run mutants -- --generated gate formats.ts    # a subject, or files
npm run mutants -- --generated --sample 100       # a random hundred, with its seed
\`\`\`

A mutant is tried with the test files that reach it, the quickest first. It is noticed if a test fails or nothing happens for
a minute. What no test notices is listed below with the reason, or a test is missing. \`npm test\` checks that the list fits
the sources; the figures are of the days beside them, with ${machine}. Where fewer were tried than there are, the others were
not tried since the file was changed the last time.

| File | Mutants | Tried | Noticed | Explained below | Open | On |
| --- | --- | --- | --- | --- | --- | --- |
${files.map(row).join("\n")}
${row(sum(files))}

## Explained

${explained.length} mutants that no test notices, by file ([as JSON](../${explainedFile})).

| Where | Change | Why no test notices it |
| --- | --- | --- |
${explained.map(explanation).join("\n")}
`;
}

function row({ file, mutants, tried, noticed, explained, on }) {
  const open = tried - noticed - explained;
  return line([file, mutants, tried, noticed, explained, open, on ?? "not yet"]);
}

function sum(files) {
  const total = (name) => files.reduce((all, file) => all + file[name], 0);
  const counts = { mutants: total("mutants"), tried: total("tried") };
  return { file: "all", on: "", ...counts, noticed: total("noticed"), explained: total("explained") };
}

function explanation({ file, within, original, mutated, nth, reason }) {
  const which = nth > 1 ? ` (number ${nth})` : "";
  const change = `\`${code(original)}\`${which} becomes ${mutated === "" ? "nothing" : `\`${code(mutated)}\``}`;
  return line([`${path.basename(file)}, ${within}`, change, reason]);
}

function code(text) {
  return text.replaceAll("`", "'");
}

function line(cells) {
  return `| ${cells.map((cell) => String(cell).replaceAll("|", "\\|")).join(" | ")} |`;
}
