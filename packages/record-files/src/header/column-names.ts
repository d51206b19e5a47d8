import { inputError } from "../refusals.js";
import { maxNamesLength } from "../table.js";

/** Soft hyphens, zero-width characters, marks of direction and byte order marks. */
const invisible = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;

/** A name as people see it: without invisible characters and with single spaces. */
export function cleanName(name: string): string {
  return name.replaceAll(invisible, "").split(/\s+/).join(" ").trim();
}

/** For a column without a name in a file with a header. */
export function unnamedColumn(position: number): string {
  return `column ${position + 1}`;
}

/** The columns of a file without a header. */
export function numberedColumns(width: number): string[] {
  return Array.from({ length: width }, (_, position) => `Column ${position + 1}`);
}

/** The names of the columns, from one header row, or from a row of groups and a row of names. */
export function columnNames(header: readonly (readonly string[])[], line: number): string[] {
  const rows = header.map((cells) => cells.map(cleanName));
  const [first = [], second] = rows;
  const names = second ? joinedNames(first, second) : first;
  if (names.every((name) => name === "")) throw inputError(line, "columnNameless", { position: 0 });
  const length = names.reduce((sum, name) => sum + name.length, 0);
  if (length > maxNamesLength) throw inputError(line, "columnNamesTooLong", { maxLength: maxNamesLength });
  return distinct(names.map((name, position) => (name === "" ? unnamedColumn(position) : name)));
}

/** A group names the columns below it and to its right, up to the next group. */
function joinedNames(groups: readonly string[], names: readonly string[]): string[] {
  let group = "";
  return Array.from({ length: Math.max(groups.length, names.length) }, (_, position) => {
    const above = groups[position] ?? "";
    const name = names[position] ?? "";
    if (above !== "") group = above;
    if (name !== "") return isAlreadyIn(name, group) ? name : `${group} ${name}`;
    // A name that spans both rows groups nothing.
    group = "";
    return above;
  });
}

function isAlreadyIn(name: string, group: string): boolean {
  return group === "" || name.toLowerCase().startsWith(group.toLowerCase());
}

/** Numbers repeated names: "Amount", "Amount (2)". */
function distinct(names: readonly string[]): string[] {
  const taken = new Set(names);
  const counts = new Map<string, number>();
  return names.map((name) => {
    let count = (counts.get(name) ?? 0) + 1;
    let numbered = name;
    while (count > 1 && taken.has((numbered = `${name} (${count})`))) count += 1;
    counts.set(name, count);
    taken.add(numbered);
    return count > 1 ? numbered : name;
  });
}
