// Writes the reference pages that are generated from code (configuration, errors, exports, statements). With
// --check, compares them.
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

Gatehouse reads environment variables, and a file \`.env\` in the folder where it starts. The environment takes precedence over
the file. The service reports all problems together and does not start if there is one. An unknown variable that begins with
GATEHOUSE_ is a problem, except those that Kubernetes sets for a Service named gatehouse.

Switches are \`on\` or \`off\`. An empty variable counts as unset; only an empty DATABASE_URL is an error.

Docker and Kubernetes mount secrets as files: ${secretFiles()} take
a path instead of the value. One newline at the end of the file is ignored.

\`npm run docs\` generates this page from the code.

${table(
  ["Variable", "Default", "Meaning"],
  describeConfig().map(({ name, shownDefault, description }) => [`\`${name}\``, shownDefault, description]),
)}

\`NO_COLOR\` turns colors off.

Rate limits by operation:

${table(
  ["Operation", "Request", "Published limit", "Counted per"],
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

An error refuses a whole request. A reason code says why a single record of a batch was Skipped or Failed; the other records are
processed. Every answer has a header \`X-Request-Id\`, which is also in the service's log.

\`npm run docs\` generates this page from the code.

## Reason codes of records

If a record has several problems, \`reasonCode\` is the first of ${contract.reasonPrecedence.join(", ")} that applies.
\`errorDetail\` names all of them.

${table(
  ["Code", "Name", "Meaning", "What to do"],
  contract.reasons.map(({ code, name, meaning, advice }) => [code, name, meaning, advice]),
)}

## Errors of requests

The header \`${contract.errorHeader}\` contains the name of the error. Programs should use it: messages may change, names do not. If a
program does not know a name, it should use the status.

The body is \`{success: false, message, errors, timestamp}\`, with these exceptions:

- 429: \`{success: false, message, retryAfter, timestamp}\`
- 400 of an import: \`{error}\` for an empty batch, otherwise problem details (\`application/problem+json\`)
- 413 of an import: \`{error, submitted, max}\` for too many records, empty for too many bytes

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
