import { scanMembers } from "@gatehouse-parking/json-text";
import { HashChain } from "../src/features/exports/format.js";
import { sections } from "./sections.js";

/** Changed exports with correct hashes and counts, as an attacker or a faulty tool would create them. */
export function kindOf(line: string): string {
  return /^\{"kind":"(\w+)"/.exec(line)?.[1] ?? "";
}

/** The lines of a file, with matching hashes and counts. */
export function sealed(lines: readonly string[]): string {
  const chain = new HashChain();
  let sha256 = "";
  const counts = Object.fromEntries(sections.map(({ kind }) => [kind, 0]));
  return lines
    .map((line) => {
      const kind = kindOf(line);
      if (kind === "mark") sha256 = chain.mark();
      else if (kind !== "end") chain.add(`${line}\n`);
      if (kind in counts) counts[kind] = (counts[kind] ?? 0) + 1;
      if (kind === "mark") return JSON.stringify({ ...JSON.parse(line), sha256 });
      return kind === "end" ? JSON.stringify({ ...JSON.parse(line), lines: counts, sha256 }) : line;
    })
    .map((line) => `${line}\n`)
    .join("");
}

/** The members of a line, in their original spelling. */
export function membersOf(line: string): Map<string, string> {
  return new Map(
    [...scanMembers(line, 0)].map(([name, { start, end }]) => [name, line.slice(start, end)] as const),
  );
}

export function lineOf(members: Iterable<readonly [name: string, json: string]>): string {
  return `{${[...members].map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(",")}}`;
}
