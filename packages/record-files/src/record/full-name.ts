export const nameOrders = ["first last", "last first", "last, first"] as const;
export type NameOrder = (typeof nameOrders)[number];

/**
 * Splits a full name. A single word is a last name. Words in capitals, and words such as `van der` with the word after
 * them, are one last name. Otherwise, without a comma, the last name is one word and the rest is the first name.
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
  const isLastFirst = order === "last first";
  const start = isLastFirst ? 0 : words.length - lengthOfLastName(words.toReversed(), isBeforeLast);
  const end = isLastFirst ? lengthOfLastName(words, isBeforeNext) : words.length;
  return {
    firstName: [...words.slice(0, start), ...words.slice(end)].join(" "),
    lastName: words.slice(start, end).join(" "),
  };
}

/** The number of words of the last name, counted from its side of the name. At least one word is the first name. */
function lengthOfLastName(
  words: readonly string[],
  includes: (words: readonly string[], length: number) => boolean,
): number {
  const capitals = words.findIndex((word) => !isInCapitals(word));
  if (capitals > 0) return capitals;
  let length = 1;
  while (length < words.length - 1 && includes(words, length)) length += 1;
  return length;
}

/** In "Tom van der Berg", read from its end, a lower-case word belongs to the word after it. */
function isBeforeLast(words: readonly string[], length: number): boolean {
  return isParticle(words[length]) && !isParticle(words[0]);
}

/** In "van der Berg Tom", the last name goes on after a lower-case word. */
function isBeforeNext(words: readonly string[], length: number): boolean {
  return isParticle(words[length - 1]) && !words.every(isParticle);
}

function isParticle(word = ""): boolean {
  return /^\p{Ll}/u.test(word);
}

/** An initial says nothing. */
function isInCapitals(word: string): boolean {
  return /\p{Lu}.*\p{Lu}/u.test(word) && word === word.toUpperCase();
}
