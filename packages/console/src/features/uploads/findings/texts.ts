export const texts = {
  title: "Findings",
  description:
    "Rows that can be imported, but look unusual. If they are wrong, correct the file or change its mapping.",
  finding: "Finding",
  examples: "Examples",
  inLine: (line: number, value: string | undefined, otherLine: number | undefined) =>
    `${value === undefined ? "" : `“${value}” in `}line ${line.toLocaleString("en")}${otherLine === undefined ? "" : ` and line ${otherLine.toLocaleString("en")}`}`,
  read: (reading: string) => `Read as ${reading}.`,
  conflicts: {
    title: "Conflicts",
    help: "The ids of these rows are stored already, with other values. Stored records are never changed. If the id is not unique in your file, map another column to it, or join several. If two systems use the same ids, give each a prefix in the mapping.",
    download: "Download all conflicts",
  },
};
