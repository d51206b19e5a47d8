import { UserError } from "../refusals/user-error.js";
import { MalformedJson } from "@gatehouse-parking/json-text";
import { readStoredPage, type Key } from "../stored-tables/read-section.js";
import { readRow } from "../stored-tables/read-row.js";
import type { Section } from "../stored-tables/section.js";
import { addFindings, maxExamples, nothingFound, type Check } from "./check.js";

/** Checks stored values as the import of an export does. */
export const valueChecks = (sections: readonly Section[]): Check[] =>
  sections.map((section) => ({
    name: `values: ${section.table} have valid values`,
    of: { table: section.table },
    async run(client, organizationId) {
      const checked = checkedPart(section);
      let total = nothingFound;
      for (let after: Key | undefined; ;) {
        const { lines, last } = await readStoredPage(client, checked, { organizationId, after });
        if (last === undefined) return total;
        const wrong = lines.flatMap((line) => problemIn(checked, line));
        total = addFindings(total, {
          read: lines.length,
          violations: wrong.length,
          examples: wrong.slice(0, maxExamples),
        });
        after = last;
      }
    },
  }));

/** Omits columns whose type guarantees their values, except the key. */
function checkedPart(section: Section): Section {
  const inRules = () => section.rules !== undefined;
  const isKey = (column: string) => section.key.some(({ name }) => name === column);
  return {
    ...section,
    fields: section.fields.filter(({ isGuarded, column }) => !isGuarded || isKey(column) || inRules()),
  };
}

function problemIn(section: Section, line: string): string[] {
  try {
    readRow(section, line.trimEnd(), false);
    return [];
  } catch (error) {
    if (!(error instanceof UserError || error instanceof MalformedJson)) throw error;
    return [`${keyText(section, line)}: ${error.message}`];
  }
}

function keyText({ key, fields }: Section, line: string): string {
  const values = JSON.parse(line) as Record<string, unknown>;
  const names = key.map(({ name }) => fields.find(({ column }) => column === name)?.name ?? "");
  return names.map((name) => String(values[name])).join(" ");
}
