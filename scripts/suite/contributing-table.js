import { elsewhere, projects, suites } from "./suites.js";

const opening = "<!-- suites -->\n";
const closing = "<!-- /suites -->";

/**
 * Puts the table of what runs where between its marks in CONTRIBUTING.md.
 * @param {string} page
 */
export function withSuites(page) {
  const start = page.indexOf(opening);
  const end = page.indexOf(closing);
  if (start === -1 || end < start) throw new Error("CONTRIBUTING.md has lost the marks of the suites");
  return `${page.slice(0, start)}${opening}\n${table()}\n\n${page.slice(end)}`;
}

function table() {
  const { check, fast, full } = suites;
  const commands = [check, fast, full].map(({ command }) => `\`${command}\``);
  const head = ["What", ...commands, "Elsewhere"];
  const checks = [...fast.checks, ...full.checks].map(({ title }) => [
    title,
    ...[check, fast, full].map((suite) => mark(suite.checks.some((each) => each.title === title))),
    "",
  ]);
  const tests = [...fast.projects, ...full.projects].map((name) => [
    projects[name]?.title ?? name,
    ...[check, fast, full].map((suite) => mark(suite.projects.includes(name))),
    `\`npx vitest run --project ${name}\``,
  ]);
  const rest = elsewhere.map(({ title, command }) => [title, "", "", "", `\`${command}\``]);
  const build = ["Build", "", mark(true), mark(true), "`npm run build`"];
  return [head, head.map(() => "---"), build, ...checks, ...tests, ...rest]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

/** @param {boolean} runs */
function mark(runs) {
  return runs ? "yes" : "";
}
