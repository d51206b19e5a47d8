// The reference page of the export format, generated from the sections that the service writes and reads.
const { exportedNames } = await import("../packages/service/dist/core/organizations/settings.js");
const { sectionsOf } = await import("../packages/service/dist/core/stored-tables/sections.js");
const { features } = await import("../packages/service/dist/features.js");
const { columnsLeftOut, tablesLeftOut } =
  await import("../packages/service/dist/features/exports/left-out.js");
const { exportFormat, exportVersion, linesPerMark } =
  await import("../packages/service/dist/features/exports/format.js");
const { maxLineBytes } = await import("../packages/service/dist/features/exports/file/read-lines.js");

const sections = await sectionsOf(features);

export function exportPage() {
  return `# Exports of an organization

\`gatehouse export\` and the button in the console's settings write everything of an organization as one file;
\`gatehouse import-export\` reads it on another installation. See [the guide](../how-to/move-an-organization.md) for how
to use them, and [a decision](../decisions/0043-export-an-organization-as-ndjson.md) for the reasons. This page is generated from the code by
\`npm run docs\`.

The file is NDJSON: UTF-8, one JSON object per line, each with a newline, at most ${maxLineBytes / 1024 / 1024} MB. Every line starts
with its \`kind\`.

## Lines about the file

| Kind | Where | What it says |
|---|---|---|
| \`head\` | first | \`format\` ("${exportFormat}"), \`version\` (${exportVersion}), \`release\` (of the service that wrote it), \`organization\` (uuid and name), \`takenAt\` (the time of the snapshot), \`lines\` (how many of each kind follow), \`settings\` (${exportedNames().join(", ")}), \`deletedBefore\` (records with smaller uuids may have been deleted because their retention period ended) |
| \`mark\` | second; after every ${linesPerMark.toLocaleString("en")} lines of a kind; after the last line of a kind | \`sha256\`, and \`resume\`: the parameter for requesting the rest |
| \`continued\` | where an interrupted file was continued | \`takenAt\`: the time of the snapshot for the lines after it |
| \`end\` | last | \`lines\` as in the head, \`uploadsLeftOut\`, \`sha256\` of the mark before it |

A file without \`end\` is incomplete. The \`sha256\` of a mark is the SHA-256, in hex, of the \`sha256\` of the previous mark (nothing for
the first) and all lines since then except \`mark\` and \`continued\`, with their newlines. The first mark therefore covers only the
head.

## Continuing

1. Truncate the file after its last complete \`mark\`.
2. Request the rest with that mark's \`resume\` and append the response. Over HTTP, \`resume\` is a parameter.

\`gatehouse export --resume FILE\` does both steps.

The positions of marks depend only on the rows. The result therefore equals an uninterrupted file, except for the line
\`continued\`. Rows that were added after the head are left out. Rows that can change (a location, the state of a lead) have their
values at the time of continuation. The service rejects the continuation if rows of the export were deleted, if others were added
late, or if a person was erased in between. Start the export again in that case.

## Lines of data

Kinds come in this order. Within a kind, lines are sorted by key, which is chronological for uuids. Every field is present; \`null\` means
no value. Timestamps are in UTC, with up to microseconds; dates before the year 1 end with " BC". Decimals are numbers with all digits. Fields of
type json contain the text as it was sent, with line breaks between values replaced by spaces.

The import checks every field: a value that its column cannot hold is rejected with the line, the kind and the field, and nothing is stored.
\`gatehouse verify\` applies the same checks to stored data.

${sections.map(describe).join("\n\n")}

## What is not in it

| Table | Why |
|---|---|
${Object.entries(tablesLeftOut)
  .map(([table, why]) => `| \`${table}\` | ${why} |`)
  .join("\n")}

Columns: ${Object.entries(columnsLeftOut)
    .map(([column, why]) => `\`${column}\` (${why})`)
    .join(", ")}. The import recomputes lookup keys such as \`email_key\`.
`;
}

/** @param {(typeof sections)[number]} section */
function describe({ kind, says, key, fields }) {
  const keys = key.map(({ name }) => `\`${fields.find(({ column }) => column === name)?.name}\``);
  const rows = [...groupByKind(fields)].map(
    ([type, some]) => `| ${type} | ${some.map(({ name }) => `\`${name}\``).join(", ")} |`,
  );
  return [
    `### ${kind}`,
    `${says} Key: ${keys.join(", ")}.`,
    `| Type | Fields |\n|---|---|\n${rows.join("\n")}`,
  ].join("\n\n");
}

/** @param {(typeof sections)[number]["fields"]} fields */
function groupByKind(fields) {
  /** @type {Map<string, { name: string }[]>} */
  const groups = new Map();
  for (const field of fields) groups.set(field.kind, [...(groups.get(field.kind) ?? []), field]);
  return groups;
}
