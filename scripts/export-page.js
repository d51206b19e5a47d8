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
\`gatehouse import-export\` reads it on another installation. [The guide](../how-to/move-an-organization.md) says how
to use them, [a decision](../decisions/0043-export-an-organization-as-ndjson.md) why they are so. This page is made from the code by
\`npm run docs\`.

The file is NDJSON: UTF-8, one JSON object a line, each with its newline, at most ${maxLineBytes / 1024 / 1024} MB. Every line begins
with its \`kind\`.

## Lines about the file

| Kind | Where | What it says |
|---|---|---|
| \`head\` | first | \`format\` ("${exportFormat}"), \`version\` (${exportVersion}), \`release\` (of the service that wrote it), \`organization\` (uuid and name), \`takenAt\` (the moment that everything is from), \`lines\` (how many of each kind follow), \`settings\` (${exportedNames().join(", ")}), \`deletedBefore\` (records with smaller uuids may have been deleted because their time was over) |
| \`mark\` | second; after every ${linesPerMark.toLocaleString("en")} lines of a kind; after the last line of a kind | \`sha256\`, and \`resume\`: what to ask for the rest with |
| \`continued\` | where a file was cut short and continued | \`takenAt\`: the moment that the lines behind it are from |
| \`end\` | last | \`lines\` as in the head, \`uploadsLeftOut\`, \`sha256\` of the mark before it |

A file without \`end\` was cut short. \`sha256\` of a mark is SHA-256, in hex, over the \`sha256\` of the mark before it (nothing, for the
first) and all lines since then that are neither \`mark\` nor \`continued\`, with their newlines. So the first one is that of the
head.

## Continuing

Cut the file behind its last whole \`mark\`, ask for what follows with that mark's \`resume\` (\`gatehouse export --resume FILE\` does both;
over HTTP it is the parameter \`resume\`), and append the answer. Marks stand at places that depend on nothing but the rows, so the
result is the file that was cut, but for the line \`continued\`. What has come since the head is not in it. What can change
in a row that stays (a location, the state of a lead) is as it was when the file was continued. It is refused, and the export has to begin anew, if
rows that belong to it are gone or others came late, and if a person was erased meanwhile.

## Lines of data

They come in this order, and within a kind in the order of the key, which is the order of time where it is a uuid. Every field is there; \`null\` is
none. Moments are in UTC, with up to microseconds; dates before the year 1 end with " BC". Decimals are numbers with all their digits. Fields of
type json are what was stored, in the spelling it was sent in, except that line breaks between its values are spaces.

The import checks every field: a value that its column may not hold is refused with the line, the kind and the field, and nothing is stored.
\`gatehouse verify\` makes the same checks of what is stored.

${sections.map(describe).join("\n\n")}

## What is not in it

| Table | Why |
|---|---|
${Object.entries(tablesLeftOut)
  .map(([table, why]) => `| \`${table}\` | ${why} |`)
  .join("\n")}

Columns: ${Object.entries(columnsLeftOut)
    .map(([column, why]) => `\`${column}\` (${why})`)
    .join(", ")}. Keys that values are looked up by (\`email_key\` and the like) are made anew by the import.
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
