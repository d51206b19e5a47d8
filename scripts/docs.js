// Writes the reference pages that are tables of the code (configuration, errors, exports, what the numbers in tests mean).
// With --check, compares them.
import { readFileSync } from "node:fs";
import { compareOrWrite } from "./generated-file.js";
import { citations, linksTo } from "./statements/citations.js";
import { logEvents } from "./log-events.js";
import { readings, statements } from "./statements/statements.js";
import { withSuites } from "./suite/contributing-table.js";

const contract = await import("../packages/contract/dist/index.js");
const { describeConfig } = await import("../packages/service/dist/config.js");
const { commandsPage } = await import("./commands-page.js");
const { exportPage } = await import("./export-page.js");

compareOrWrite("docs/reference/commands.md", await commandsPage(), "npm run docs");
compareOrWrite("docs/reference/configuration.md", configurationPage(), "npm run docs");
compareOrWrite("docs/reference/errors.md", errorsPage(), "npm run docs");
compareOrWrite("docs/reference/export.md", exportPage(), "npm run docs");
compareOrWrite("docs/reference/statements.md", statementsPage(), "npm run docs");
compareOrWrite(
  "docs/reference/log-events.json",
  `[\n${logEvents()
    .map((event) => `  ${JSON.stringify(event)}`)
    .join(",\n")}\n]\n`,
  "npm run docs",
);
compareOrWrite("CONTRIBUTING.md", withSuites(page("CONTRIBUTING.md")), "npm run docs");

function page(/** @type {string} */ name) {
  return readFileSync(new URL(`../${name}`, import.meta.url), "utf8");
}

function configurationPage() {
  return `# Configuration

Gatehouse is configured by environment variables, or by a file \`.env\` in the folder it is started from; variables that
are set already win over the file. All problems are reported together before anything starts, and a variable that begins
with GATEHOUSE_ but is not in this table is one of them (those that Kubernetes makes of a Service called gatehouse are
left alone). Switches take \`on\` or \`off\`. A variable that is set but empty counts as unset; only an empty
DATABASE_URL is an error.

Secrets can be given as a file, as Docker and Kubernetes mount them: ${secretFiles()} take
its path instead of the value. One newline at its end is no part of the secret.

This page is made from the code by \`npm run docs\`.

${table(
  ["Variable", "Default", "Meaning"],
  describeConfig().map(({ name, shownDefault, description }) => [`\`${name}\``, shownDefault, description]),
)}

\`NO_COLOR\` turns colours off. Limits by operation:

${table(
  ["Operation", "Request", "Published limit", "Counted by"],
  contract.operationNames.map((name) => {
    const { method, path, limit } = contract.operations[name];
    return [
      `\`${name}\``,
      `${method} ${path.replace(/:(\w+)/g, "{$1}")}`,
      `${limit.requests} in ${limit.windowSeconds} s`,
      limit.per === "organization" ? "organization" : "client address",
    ];
  }),
)}
`;
}

function secretFiles() {
  const names = describeConfig().flatMap(({ fileName }) => (fileName ? [`\`${fileName}\``] : []));
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

function errorsPage() {
  return `# Errors and reason codes

A request as a whole is refused with one of the errors below; a single record of a batch is Skipped or Failed with a
reason code, and the other records go on. Every answer carries \`X-Request-Id\`, which finds its line in the service's log.

This page is made from the code by \`npm run docs\`.

## Reason codes of records

Of several problems in one record, \`reasonCode\` is the first of ${contract.reasonPrecedence.join(", ")} that applies;
\`errorDetail\` names them all.

${table(
  ["Code", "Name", "Meaning", "What to do"],
  contract.reasons.map(({ code, name, meaning, advice }) => [code, name, meaning, advice]),
)}

## Errors of requests

Unless said otherwise the body is \`{success: false, message, errors, timestamp}\`. A 429 is \`{success: false, message,
retryAfter, timestamp}\`. An import's 400 is \`{error}\` for an empty batch and otherwise problem details
(\`application/problem+json\`); its 413 is \`{error, submitted, max}\` for too many records and empty for too many bytes.
The header \`${contract.errorHeader}\` has the error's name, for programs: messages may be reworded, names are not. A
later release may add names; go by the status then.

${table(
  ["Status", "Name", "Message", "What to do"],
  Object.entries(contract.errors)
    .toSorted(([, one], [, other]) => one.status - other.status)
    .map(([name, { status, message, advice }]) => [status, `\`${name}\``, message, advice]),
)}
`;
}

function statementsPage() {
  const cited = citations();
  const sections = Object.entries(statements).map(
    ([title, texts]) => `### ${title}\n\n${statementTable("R", texts, cited.statements)}`,
  );
  return `# Statements

This page lists what the public interface promises, statement by statement, and the tests that cover each one. A test names
the statements that it covers in its \`@covers\` tag. \`npm run docs\` writes this page from the code.

## What the interface promises

${sections.join("\n\n")}

## What holds where the published interface leaves it open

The tag for these is \`@covers reading N\`.

${statementTable("", readings, cited.readings)}
`;
}

function statementTable(
  /** @type {string} */ prefix,
  /** @type {Record<string, string>} */ texts,
  /** @type {Map<number, Set<string>>} */ filesByNumber,
) {
  return table(
    ["Number", "Statement", "Shown by"],
    Object.entries(texts).map(([number, text]) => [
      `${prefix}${number}`,
      text,
      linksTo(filesByNumber.get(Number(number))),
    ]),
  );
}

function table(/** @type {string[]} */ headings, /** @type {unknown[][]} */ rows) {
  return [headings, headings.map(() => "---"), ...rows].map(tableLine).join("\n");
}

function tableLine(/** @type {unknown[]} */ cells) {
  return `| ${cells.map((/** @type {unknown} */ cell) => String(cell).replaceAll("|", "\\|")).join(" | ")} |`;
}
