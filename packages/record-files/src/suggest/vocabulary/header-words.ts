import { conceptsOfMoney } from "./concepts-of-money.js";
import { conceptsOfThings, fillers } from "./concepts-of-things.js";
import { conceptsOfTimes } from "./concepts-of-times.js";

const concepts = { ...conceptsOfTimes, ...conceptsOfMoney, ...conceptsOfThings };
export type Concept = keyof typeof concepts;

/** What the words of a header mean. */
export interface HeaderMeaning {
  concepts: ReadonlySet<Concept>;
  /** Words that are in no list. */
  unknown: string[];
}

/** Letters that do not decompose into a letter of ASCII and an accent. */
const letters: Readonly<Record<string, string>> = {
  ...{ ß: "ss", ø: "o", æ: "ae", œ: "oe", ł: "l", đ: "d", ı: "i", þ: "th", ð: "d", ς: "σ", ך: "כ", ם: "מ" },
  ...{ ן: "נ", ף: "פ", ץ: "צ", أ: "ا", إ: "ا", آ: "ا", ة: "ه", ى: "ي" },
};

/** A header without case, accents, spaces and punctuation. Letters of every script stay. */
export function plainHeader(text: string): string {
  return plainText(text).replaceAll(/[^\p{L}\p{N}]/gu, "");
}

function plainText(text: string): string {
  const plain = text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  return [...plain]
    .map((letter) => letters[letter] ?? letter)
    .join("")
    .normalize("NFC");
}

interface Stem {
  text: string;
  concept: Concept | "filler";
}

interface Vocabulary {
  words: ReadonlyMap<string, readonly Stem[]>;
  /** Longest first. */
  phrases: readonly Stem[];
  /** Parts of compound words, longest first. */
  parts: readonly Stem[];
}

const shortestPart = 5;
let vocabulary: Vocabulary | undefined;

function readVocabulary(): Vocabulary {
  const stems = Object.entries({ ...concepts, filler: fillers }).flatMap(([concept, list]) =>
    list.split(/\s+/).map((word) => ({ text: word, concept: concept as Stem["concept"] })),
  );
  const words = new Map<string, Stem[]>();
  const phrases: Stem[] = [];
  for (const { text, concept } of stems) {
    const isPhrase = text.includes("_");
    const plain = isPhrase ? wordsOf(text).join(" ") : plainHeader(text);
    const stem = { text: plain, concept };
    if (isPhrase) phrases.push(stem);
    const joined = plain.replaceAll(" ", "");
    words.set(joined, [...(words.get(joined) ?? []), { text: joined, concept }]);
  }
  const byLength = (one: Stem, other: Stem) => other.text.length - one.text.length;
  const parts = [...words.values()]
    .flat()
    .filter(({ text, concept }) => concept !== "filler" && (text.length >= shortestPart || isUnspaced(text)));
  return { words, phrases: phrases.toSorted(byLength), parts: parts.toSorted(byLength) };
}

/** Chinese, Japanese and Korean headers have no spaces between words. */
function isUnspaced(text: string): boolean {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(text);
}

/** The words of a header; "entryTime" and "ENTRY_TIME" have two. */
export function wordsOf(header: string): string[] {
  const spaced = header
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .replaceAll(/['’"״]/g, "");
  return plainText(spaced)
    .split(/[^\p{L}\p{N}№]+/u)
    .filter((word) => word !== "");
}

/** Units and remarks in brackets, such as "(UTC)" or "[EUR]". */
export function remarksOf(header: string): string[] {
  return [...header.matchAll(/[([（【]([^()[\]（）【】]{1,40})[)\]）】]/g)].map(([, inside = ""]) =>
    inside.trim(),
  );
}

export function withoutRemarks(header: string): string {
  const rest = header.replaceAll(/[([（【][^()[\]（）【】]{1,40}[)\]）】]/g, " ").trim();
  return rest === "" ? header : rest;
}

/** Reads the words of a header. */
export function meaningOf(header: string): HeaderMeaning {
  vocabulary ??= readVocabulary();
  const { phrases, words } = vocabulary;
  const found = new Set<Concept>();
  const unknown: string[] = [];
  let text = ` ${wordsOf(withoutRemarks(header)).join(" ")} `;
  const add = (stems: readonly Stem[]) => {
    for (const { concept } of stems) if (concept !== "filler") found.add(concept);
  };
  for (const phrase of phrases) {
    if (!text.includes(` ${phrase.text} `)) continue;
    add([phrase]);
    text = text.replace(` ${phrase.text} `, " ");
  }
  for (const word of text.trim().split(" ")) {
    if (word === "" || /^\p{N}+$/u.test(word)) continue;
    const stems = words.get(word) ?? partsOf(word);
    if (stems.length === 0) unknown.push(word);
    else add(stems);
  }
  return { concepts: found, unknown };
}

/** The parts of a compound word: "einfahrtsdatum" has two. */
function partsOf(word: string): Stem[] {
  vocabulary ??= readVocabulary();
  const isAnywhere = isUnspaced(word);
  let rest = word;
  const found: Stem[] = [];
  for (const stem of vocabulary.parts) {
    const at = isAnywhere ? rest.indexOf(stem.text) : endOrStart(rest, stem.text);
    if (at === -1) continue;
    found.push(
      stem,
      ...vocabulary.parts.filter(({ text, concept }) => text === stem.text && concept !== stem.concept),
    );
    rest = `${rest.slice(0, at)} ${rest.slice(at + stem.text.length)}`.trim();
  }
  if (found.length === 0 || isAnywhere) return found;
  // The rest of a compound may be a short word: "ticketnr".
  const last = vocabulary.words.get(rest.replace(/^s(?=\p{L})/u, ""));
  return last ? [...found, ...last] : found;
}

function endOrStart(word: string, part: string): number {
  if (word.startsWith(part)) return 0;
  return word.endsWith(part) ? word.length - part.length : -1;
}
