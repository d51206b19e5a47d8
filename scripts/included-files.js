import { readFileSync } from "node:fs";
import path from "node:path";

const opening = "<!-- file: ";
const closing = "<!-- /file -->";

/**
 * What a block of code is called in Markdown.
 * @type {Record<string, string>}
 */
const languages = { ".java": "java", ".py": "python", ".sh": "bash", ".ts": "ts" };

/** Puts the text of a file between the marks that name it, so that a page shows what is really there. */
export function includeFiles(/** @type {string} */ page) {
  return page
    .split(opening)
    .map((/** @type {string} */ part, /** @type {number} */ index) =>
      index === 0 ? part : opening + withFile(part),
    )
    .join("");
}

function withFile(/** @type {string} */ part) {
  const name = part.slice(0, part.indexOf(" -->"));
  const end = part.indexOf(closing);
  if (end === -1) throw new Error(`Nothing ends what is included of ${name}`);
  const language = languages[path.extname(name)];
  if (language === undefined) throw new Error(`No block of code is known for ${name}`);
  const text = readFileSync(new URL(`../${name}`, import.meta.url), "utf8").trimEnd();
  return `${name} -->\n\n\`\`\`${language}\n${text}\n\`\`\`\n\n${part.slice(end)}`;
}
