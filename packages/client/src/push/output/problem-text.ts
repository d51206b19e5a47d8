import type { ImportResourceName } from "@gatehouse-parking/contract";
import { fieldAt, fieldTrees } from "@gatehouse-parking/record-files";
import type { ProblemGroup } from "./problem-groups.js";
import { count } from "./progress.js";

const maxShownGroups = 10;

/** The most frequent problems, each with how often it occurs, what was in the file, and what to do about it. */
export function problemLines(groups: readonly ProblemGroup[], resource: ImportResourceName): string[] {
  const sorted = groups.toSorted((one, other) => other.records - one.records);
  const rest = sorted.slice(maxShownGroups);
  return [
    ...sorted.slice(0, maxShownGroups).flatMap((group) => groupLines(group, resource)),
    ...(rest.length > 0 ? [`    and ${rest.length} other problems; results.ndjson has them all`] : []),
  ];
}

function groupLines(group: ProblemGroup, resource: ImportResourceName): string[] {
  const { field, message, records, examples } = group;
  const values = examples.map(({ line, value }) =>
    value === undefined ? `line ${line}` : `${JSON.stringify(value)} in line ${line}`,
  );
  const sentence = field === "" ? message : `${field} ${message}`;
  const hint = hintFor(group, resource);
  return [
    `    ${sentence}: ${count(records)} ${records === 1 ? "record" : "records"}, ${records > 1 ? "such as " : ""}${values.join(", ")}`,
    ...(hint === undefined ? [] : [`      ${hint}`]),
  ];
}

/** How a value that is right in the file is declared. What is asked for in the message itself needs no hint. */
function hintFor(
  { field, message, examples }: ProblemGroup,
  resource: ImportResourceName,
): string | undefined {
  const known = field === "" ? undefined : fieldAt(fieldTrees[resource], field);
  const hasValue = examples.some(({ value }) => value !== undefined && value !== "null");
  if (!known || !hasValue || !message.startsWith("must be")) return undefined;
  if (known.names)
    return `Say in the mapping file what the values mean, with "values": ${Object.keys(known.names).join(", ")}`;
  if (known.kind === "amount" || known.kind === "integer")
    return "If these are numbers, show how the file writes 1234.50 with --number-format; if they mean nothing, name them with --empty";
  if (known.kind === "flag") return "Name the words of the file with --true and --false";
  return undefined;
}
