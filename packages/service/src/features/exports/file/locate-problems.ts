import type { Section } from "../../../core/stored-tables/section.js";
import type { Check, Finding } from "../../../core/verify/check.js";
import { keyOf, valuesOf } from "./encode-row.js";
import { readExport } from "./read-export.js";

export type FoundProblem = Finding & Pick<Check, "name" | "of">;

/**
 * Describes the problems that the checks found, with the line numbers of the affected rows. It reads the file
 * again to find them.
 */
export async function locateProblems(
  file: string,
  problems: readonly FoundProblem[],
  sections: readonly Section[],
): Promise<string[]> {
  const lines = new Map<string, number>();
  const wanted = new Set(problems.flatMap(({ of, examples }) => examples.map((key) => nameOf(of, key))));
  for await (const parts of readExport(file, sections))
    for (const part of parts) {
      if (part.is !== "row") continue;
      const { section, line } = part;
      if (!problems.some(({ of }) => of?.table === section.table)) continue;
      const name = `${section.table} ${keyOf(section, valuesOf(section, line)).join(" ")}`;
      if (wanted.has(name)) lines.set(name, line.number);
    }
  return problems.map(({ name, of, violations, examples }) => {
    const places = examples.map((key) => place(sections, of, key, lines.get(nameOf(of, key))));
    return `${name}: ${violations} wrong rows, such as ${places.join(", ")}`;
  });
}

function nameOf(of: Check["of"], key: string): string {
  return `${of?.table} ${key}`;
}

function place(sections: readonly Section[], of: Check["of"], key: string, line: number | undefined): string {
  if (line === undefined) return key;
  const section = sections.find(({ table }) => table === of?.table);
  const field = section?.fields.find(({ column }) => column === of?.column)?.name;
  return `line ${line} (${[section?.kind, field].filter((word) => word !== undefined).join(" ")}, ${key})`;
}
