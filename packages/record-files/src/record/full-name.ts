export const nameOrders = ["first last", "last first", "last, first"] as const;
export type NameOrder = (typeof nameOrders)[number];

/**
 * Splits a full name. A single word is a last name. Without a comma, the last name is one word and the rest
 * is the first name.
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
