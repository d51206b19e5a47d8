// Checks the texts of the project: constructions that make readers stop, links between pages, and commands in pages.
// With paths as arguments it checks only the files below them.
import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { isMain, report, root, trackedFiles } from "../security/repository.js";
import { findPhrases } from "./phrases.js";

const withProse = /\.(?:md|tsx?|js|ya?ml|sh|py|java|html)$/;
/** Quotes of what is wrong, and texts that others wrote or that must not change any more. */
const exempt = /^(?:scripts\/prose\/|openapi\.json$|packages\/service\/migrations\/|LICENSE$)/;
/** A released section of the changelog stays as it was published. */
const releasedSections = /^## (?!.*unreleased)[^]*/im;

/** @typedef {{ file: string, text: string }} Page */

/** @returns {string[]} */
export function phraseProblems(/** @type {Page} */ { file, text }) {
  return findPhrases(text).map(
    ({ line, phrase, instead }) => `${file}:${line}: "${phrase}". Write: ${instead}`,
  );
}

/** A page without its examples, in which a # begins a comment. */
const withoutExamples = (/** @type {string} */ text) => text.replaceAll(/^```[^]*?^```/gm, "");

/** The fragments that the headings of a page can be found by. */
function anchorsOf(/** @type {string} */ text) {
  return new Set(
    [...withoutExamples(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\- ]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

/** @returns {string[]} */
export function linkProblems(/** @type {Page} */ { file, text }) {
  const links = withoutExamples(text).matchAll(/\]\(([^()\s]{1,300})\)/g);
  return [...links].flatMap(([link, address = ""]) => {
    if (/^[a-z]+:/.test(address)) return [];
    const [to, anchor] = address.split("#");
    const target = path.resolve(root, path.dirname(file), to || path.basename(file));
    if (!existsSync(target)) return [`${file}: ${link} leads to no file`];
    if (!anchor || !statSync(target).isFile() || !target.endsWith(".md")) return [];
    return anchorsOf(readFileSync(target, "utf8")).has(anchor)
      ? []
      : [`${file}: ${link} leads to no heading`];
  });
}

/** The commands and subcommands of `gatehouse`, and the scripts of package.json. */
export async function knownCommands() {
  const { buildProgram } = await import("../../packages/service/dist/cli/program.js");
  const program = await buildProgram([]);
  const subcommands = new Map(
    program.commands.map((command) => [command.name(), command.commands.map((one) => one.name())]),
  );
  const { scripts } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  return { subcommands, scripts: Object.keys(scripts) };
}

/** @returns {string[]} */
export function commandProblems(
  /** @type {Page} */ { file, text },
  /** @type {Awaited<ReturnType<typeof knownCommands>>} */ { subcommands, scripts },
) {
  const code = [...text.matchAll(/^```(?:sh|bash|console)?\n([^]*?)^```|`([^`\n]+)`/gm)].map(
    ([, block, inline]) => block ?? inline ?? "",
  );
  const problems = code.flatMap((part) => [
    ...[...part.matchAll(/\bnpm run (?:-\S+ )*([a-z][a-z:-]*)/g)].flatMap(([command, script = ""]) =>
      scripts.includes(script) ? [] : [command],
    ),
    ...[...part.matchAll(/(?:^|[\s(|])gatehouse ([a-z][a-z-]*)(?![\w./-])(?: ([a-z][a-z-]*))?/gm)].flatMap(
      ([command, name = "", subcommand]) => {
        const known = subcommands.get(name);
        if (!known) return name === "help" ? [] : [command.trim()];
        return known.length === 0 || !subcommand || known.includes(subcommand) ? [] : [command.trim()];
      },
    ),
  ]);
  return problems.map((command) => `${file}: \`${command}\` is not a command that works`);
}

/**
 * Outside a checkout, `npx gatehouse` downloads another project's package, and ours are not in the npm registry.
 * @returns {string[]}
 */
export function downloadProblems(/** @type {Page} */ { file, text }) {
  const commands = text.match(/\b(?:npx|npm (?:install|i|add)) [^\n`"]{1,200}/g) ?? [];
  return commands.filter(downloads).map((command) => `${file}: \`${command}\` downloads another package`);
}

function downloads(/** @type {string} */ command) {
  const words = command.split(" ").slice(1);
  if (!command.startsWith("npx ")) return words.some((word) => word.startsWith("@gatehouse-parking/"));
  const program = words.find((word) => !word.startsWith("--"));
  return program?.startsWith("gatehouse") === true && !command.startsWith("npx --no -- ");
}

if (isMain(import.meta.url)) {
  const wanted = process.argv.slice(2);
  const files = trackedFiles().filter(
    (file) =>
      withProse.test(file) &&
      !exempt.test(file) &&
      (wanted.length === 0 || wanted.some((folder) => file.startsWith(folder))),
  );
  const pages = files.map((file) => {
    const text = readFileSync(path.join(root, file), "utf8");
    return { file, text: file === "CHANGELOG.md" ? text.replace(releasedSections, "") : text };
  });
  const commands = await knownCommands();
  const problems = pages.flatMap((page) => [
    ...phraseProblems(page),
    ...downloadProblems(page),
    ...(page.file.endsWith(".md") ? [...linkProblems(page), ...commandProblems(page, commands)] : []),
  ]);
  report(problems, `${pages.length} files read plainly, and their links and commands work.`);
}
