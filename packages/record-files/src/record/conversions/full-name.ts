import type { NameOrder } from "../mapping.js";

/**
 * Cuts a full name in two. A name of one word is a last name. Where the order is by words, the last name is one word and
 * everything else belongs to the first one; who writes "last, first" tells exactly.
 */
export function firstAndLast(text: string, order: NameOrder): { firstName: string; lastName: string } {
  const name = text.trim();
  if (order === "last, first") {
    const comma = name.indexOf(",");
    if (comma === -1) return { firstName: "", lastName: name };
    return { firstName: name.slice(comma + 1).trim(), lastName: name.slice(0, comma).trim() };
  }
  const words = name.split(/\s+/);
  if (words.length === 1) return { firstName: "", lastName: name };
  const lastName = (order === "first last" ? words.pop() : words.shift()) as string;
  return { firstName: words.join(" "), lastName };
}
