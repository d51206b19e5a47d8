import type { FindingFacts } from "../../refusals.js";
import { cleanText } from "../../rows/cell-text.js";
import type { RecordTree } from "../record-builder.js";

export interface UnusualText {
  fact: FindingFacts;
  value: string;
}

/** A quick look at a JSON text: a space at an end, or a character that is escaped or not in ASCII. */
const suspect = /^" | "$|[^ -[\]-~]/;

/** Texts of a record that look like others, but are not equal to them. Metadata may contain anything. */
export function hiddenCharacters(draft: RecordTree, prefix = ""): UnusualText[] {
  const found: UnusualText[] = [];
  for (const [name, value] of draft) {
    if (name === "metadata") continue;
    if (typeof value !== "string") found.push(...hiddenCharacters(value, `${prefix}${name}.`));
    else if (value.startsWith('"') && suspect.test(value)) {
      const text = JSON.parse(value) as string;
      if (cleanText(text) !== text || /[\t\n\r]/.test(text))
        found.push({ fact: { code: "hiddenCharacters", data: { path: prefix + name } }, value: text });
    }
  }
  return found;
}
