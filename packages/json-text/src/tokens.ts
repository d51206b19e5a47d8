import { letterE, letterU, minus, nine, plus, smallLetter, zero } from "./characters.js";
import { MalformedJson, place } from "./malformed-json.js";

const shortEscapes = new Set([...'"\\/bfnrt'].map((character) => character.charCodeAt(0)));
const hexDigits = 4;

/** The position after the escape whose backslash is before `at`. */
export function endOfEscape(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (shortEscapes.has(code)) return at + 1;
  if (code !== letterU) throw new MalformedJson(`An escape is not valid ${place(text, at)}`);
  for (let digit = at + 1; digit <= at + hexDigits; digit += 1) {
    if (!isHexDigit(text.charCodeAt(digit)))
      throw new MalformedJson(`An escape is not valid ${place(text, at)}`);
  }
  return at + 1 + hexDigits;
}

/** The position after the word true, false or null. */
export function endOfWord(text: string, at: number): number {
  for (const word of ["true", "false", "null"]) if (text.startsWith(word, at)) return at + word.length;
  throw new MalformedJson(`A value is expected ${place(text, at)}`);
}

export function isDigit(code: number): boolean {
  return code >= zero && code <= nine;
}

/** The position of the exponent's digits, if there is an exponent at `at`. */
export function exponentAt(text: string, at: number): number | undefined {
  if ((text.charCodeAt(at) | smallLetter) !== letterE) return undefined;
  const sign = text.charCodeAt(at + 1);
  return sign === plus || sign === minus ? at + 2 : at + 1;
}

function isHexDigit(code: number): boolean {
  return isDigit(code) || ((code | smallLetter) >= 0x61 && (code | smallLetter) <= 0x66);
}
