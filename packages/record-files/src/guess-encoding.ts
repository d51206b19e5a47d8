import { models } from "./encoding-models.js";

export type GuessedEncoding = keyof typeof models;

/** Logarithms of how probable a character is. */
const unusualIdeograph = Math.log(1 / 3000);
const unusualLetter = Math.log(1 / 3000);
/** A name from a language with the same encoding. */
const foreignLetter = Math.log(1 / 150);
const sign = Math.log(1 / 300);
const signInsideWord = Math.log(1 / 20_000);
const misplacedCapital = Math.log(1 / 100);
/** A lead below this may be an accident. */
const certainLead = 12;
/** Most files that are not UTF-8 are in Windows-1252. */
const mostFrequentLead = 1;
/** Characters that are this improbable on average come from a wrong encoding. */
const leastAverage = -7.2;

export interface EncodingGuess {
  encoding: GuessedEncoding;
  isCertain: boolean;
}

/** The encoding in which text reads most like a language; undefined if it reads like none. */
export function guessEncoding(sample: Uint8Array): EncodingGuess | undefined {
  const bytes = sample.subarray(0, sample.lastIndexOf(0x0a) + 1 || sample.length);
  const found: { encoding: GuessedEncoding; score: number; text: string; average: number }[] = [];
  for (const encoding of Object.keys(models) as GuessedEncoding[]) {
    const text = decoded(bytes, encoding);
    if (text === undefined) continue;
    const known = models[encoding].join("");
    // A repeated value is no further evidence.
    const values = [...new Set(text.split(/[\s,;|]+/))].join(" ");
    const scores = models[encoding].map((letters) => ({
      letters,
      score: scoreOf(values, letters, known).score,
    }));
    const [best] = scores.toSorted((one, other) => other.score - one.score);
    if (!best) continue;
    const lead = encoding === "windows-1252" ? mostFrequentLead : 0;
    // The values of a short list may all be unusual, but a file repeats the usual ones.
    const { average } = scoreOf(text, best.letters, known);
    found.push({ encoding, text, average, score: best.score + lead });
  }
  const [first, ...others] = found.toSorted((one, other) => other.score - one.score);
  if (!first || first.average < leastAverage) return undefined;
  const rival = others.find(({ text }) => text !== first.text);
  return { encoding: first.encoding, isCertain: !rival || first.score - rival.score > certainLead };
}

function decoded(bytes: Uint8Array, encoding: GuessedEncoding): string | undefined {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return /[\u0080-\u009f\ue000-\uf8ff\ufffd]/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

function scoreOf(text: string, letters: string, known: string): { score: number; average: number } {
  const ranks = new Map([...letters].map((letter, rank) => [letter, rank]));
  const total = [...letters].reduce((sum, _, rank) => sum + 1 / (rank + 1), 0);
  let score = 0;
  let count = 0;
  for (const { 0: char, index } of text.matchAll(/[^\0-\x7f]/gu)) {
    count += 1;
    const before = text[index - 1] ?? "";
    const after = text[index + char.length] ?? "";
    const lower = char.toLowerCase();
    const rank = ranks.get(lower);
    if (isMixed(before, char, after)) score += signInsideWord;
    else if (rank !== undefined) score += Math.log(0.9 / (rank + 1) / total);
    else if (known.includes(lower)) score += foreignLetter;
    else if (/[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(char))
      score += unusualIdeograph;
    else if (/[\p{L}\p{M}]/u.test(char)) score += unusualLetter;
    else score += isLetter(before) && isLetter(after) ? signInsideWord : sign;
    if (char !== lower && before !== before.toUpperCase()) score += misplacedCapital;
  }
  return { score, average: count === 0 ? 0 : score / count };
}

/** No word mixes Latin letters with those of another alphabet. Chinese, Japanese and Korean use no spaces. */
function isMixed(before: string, char: string, after: string): boolean {
  if (!/[a-z]/i.test(before) && !/[a-z]/i.test(after)) return false;
  return /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Thai}]/u.test(char);
}

function isLetter(char: string): boolean {
  return /\p{L}/u.test(char);
}

/** Two words with characters beyond ASCII, by which a person sees whether the encoding is right. */
export function sampleWords(text: string): string[] {
  const words = new Set<string>();
  for (const [word] of text.matchAll(/[\p{L}\p{M}]{2,24}/gu)) {
    if (/[^\0-\x7f]/.test(word)) words.add(word);
    if (words.size === 40) break;
  }
  const variety = (word: string): number => new Set(word.match(/[^\0-\x7f]/gu)).size;
  return [...words].toSorted((one, other) => variety(other) - variety(one)).slice(0, 2);
}
