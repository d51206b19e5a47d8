/** Words before or after an hour, in lower case and without dots: before noon, and after noon. */
const halves: readonly (readonly [words: string, isAfternoon: boolean])[] = [
  ["am a \u0635 \u5348\u524d \u4e0a\u5348 \uc624\uc804 \u03c0\u03bc \u00f6\u00f6 fm vorm dop ap de", false],
  ["pm p \u0645 \u5348\u5f8c \u4e0b\u5348 \uc624\ud6c4 \u03bc\u03bc \u00f6s em nachm odp ip du", true],
];
const meanings = new Map(
  halves.flatMap(([words, isAfternoon]) => words.split(" ").map((word) => [word, isAfternoon] as const)),
);
const longestHalf = 8;

/** Reads a half of the day such as "PM", "p. m." or the Japanese words; undefined if there is none. */
export function readHalf(text: string, at: number): { end: number; isAfternoon: boolean } | undefined {
  let found: { end: number; isAfternoon: boolean } | undefined;
  let word = "";
  for (let end = at; end < Math.min(text.length, at + longestHalf); end += 1) {
    const sign = text[end] as string;
    const isInside = sign === "." || (word !== "" && /[\s\u00a0\u202f]/.test(sign));
    if (!isInside && !/\p{L}/u.test(sign)) break;
    if (!isInside) word += sign.toLowerCase();
    const isAfternoon = meanings.get(word);
    if (isAfternoon !== undefined && !/[\s\u00a0\u202f]/.test(sign)) found = { end: end + 1, isAfternoon };
  }
  return found;
}
