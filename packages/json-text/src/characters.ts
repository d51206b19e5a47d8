/** Codes of the characters of JSON syntax. */
export const quote = 0x22;
export const backslash = 0x5c;
export const comma = 0x2c;
export const colon = 0x3a;
export const minus = 0x2d;
export const plus = 0x2b;
export const point = 0x2e;
export const zero = 0x30;
export const nine = 0x39;
export const letterE = 0x65;
export const letterU = 0x75;
export const openBrace = 0x7b;
export const closeBrace = 0x7d;
export const openBracket = 0x5b;
export const closeBracket = 0x5d;
/** Turns a letter into lower case. */
export const smallLetter = 0x20;
/** Lower codes are control characters, which must be escaped in strings. */
export const firstPrintable = 0x20;

export function isSpaceAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** The position of the first character at or after `at` that is not white space, at most `until`. */
export function skipSpace(text: string, at: number, until: number = text.length): number {
  while (at < until && isSpaceAt(text, at)) at += 1;
  return at;
}
