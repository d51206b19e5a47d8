import type { Class, Judgement } from "./judge.js";

const meanings: Readonly<Record<Class, string>> = {
  right:
    "Every value is stored right. The suggested mapping has no open question; its assumptions are confirmed.",
  asked: "Every value is stored right after the questions are answered.",
  partly: "Some rows or values are not stored right, and a question or a message names them.",
  refused: "The file is refused with a message, and nothing is stored.",
  silent: "A value is stored wrong, and nothing was said. This must not happen.",
};

/** The page docs/reference/foreign-exports.md. */
export function resultsPage(judgements: readonly Judgement[]): string {
  const count = (found: string) => judgements.filter((one) => one.class === found).length;
  return `# Results with exports of other systems

[A test](../../packages/record-files/testing/foreign/right-or-asked.slow.test.ts) imports ${judgements.length} exports of invented parking,
payment and accounting systems, without a mapping made by hand. It reads each file and suggests a mapping like \`gatehouse-push\`, answers the
questions with what a person who knows the system can tell, and compares every value with the truth. The files, the answers and
the truth are in [exports](../../packages/record-files/exports/README.md).

| Result | Exports | Meaning |
|---|---|---|
${Object.entries(meanings)
  .map(([name, meaning]) => `| ${name} | ${count(name)} | ${meaning} |`)
  .join("\n")}

| Export | System | Records | Result |
|---|---|---|---|
${judgements
  .map(({ name, system, records, class: found }) => `| \`${name}\` | ${system} | ${records} | ${found} |`)
  .join("\n")}
`;
}
