import type { FindingFacts } from "../../refusals.js";
import { cleanText } from "../../rows/cell-text.js";
import type { RecordTree } from "../record-builder.js";

export interface UnusualText {
  fact: FindingFacts;
  value: string;
}

/** White space at an end, or a character that people do not see; in JSON, most of these are escaped. */
const suspect =
  /^"[\s\u00a0]|[\s\u00a0]"$|\\[bfnrtu]|[\u007f-\u009f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/;

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
