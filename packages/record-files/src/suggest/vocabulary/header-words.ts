import { conceptsOfMoney } from "./concepts-of-money.js";
import { conceptsOfThings, fillers } from "./concepts-of-things.js";
import { conceptsOfTimes } from "./concepts-of-times.js";

const concepts = { ...conceptsOfTimes, ...conceptsOfMoney, ...conceptsOfThings };
export type Concept = keyof typeof concepts;

/** What the words of a header mean. */
export interface HeaderMeaning {
  concepts: ReadonlySet<Concept>;
  /** What each word can mean. A word such as "Estado" has several meanings. */
  words: (readonly Concept[])[];
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
    const held = words.get(joined) ?? [];
    if (!held.some((other) => other.concept === concept))
      words.set(joined, [...held, { text: joined, concept }]);
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
  return header
    .replaceAll("#", " number ")
    .replaceAll(/['’"״`]/g, "")
    .split(/[^\p{L}\p{M}\p{N}№º°]+/u)
    .flatMap((word) => (isKnown(word) ? [word] : splitCamelCase(word)))
    .map(plainHeader)
    .filter((word) => word !== "");
}

function splitCamelCase(word: string): string[] {
  return word
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .split(" ");
}

function isKnown(word: string): boolean {
  return vocabulary?.words.has(plainHeader(word)) ?? false;
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
  const { phrases, words: known } = vocabulary;
  const words: (readonly Concept[])[] = [];
  const unknown: string[] = [];
  const pieces: string[] = [];
  const add = (stems: readonly Stem[]) => {
    const concepts = stems.flatMap(({ concept }) => (concept === "filler" ? [] : [concept]));
    // A word that may also say nothing is only used if nothing else does.
    if (concepts.length > 0 && stems.length === concepts.length) words.push(concepts);
  };
  let text = ` ${wordsOf(withoutRemarks(header)).join(" ")} `;
  for (const phrase of phrases) {
    if (!text.includes(` ${phrase.text} `)) continue;
    add([phrase]);
    text = text.replace(` ${phrase.text} `, " ");
  }
  for (const word of text.trim().split(" ")) {
    if (word === "" || /^\p{N}+$/u.test(word)) continue;
    const stems = known.get(word);
    const parts = stems ? [stems] : partsOf(word);
    if (parts.length === 0) unknown.push(word);
    for (const part of parts) {
      add(part);
      pieces.push(...part.map((stem) => stem.text));
    }
  }
  addGates(pieces, words, unknown);
  return { concepts: new Set(words.flat()), words, unknown };
}

/** "In" and "Out" alone, or beside a date or a time, are entry and exit. */
function addGates(
  pieces: readonly string[],
  words: (readonly Concept[])[],
  unknown: readonly string[],
): void {
  const when: readonly Concept[] = ["date", "time", "moment", "parking", "vehicle"];
  if (unknown.length > 0 || !words.flat().every((concept) => when.includes(concept))) return;
  if (pieces.includes("in")) words.push(["entry"]);
  if (pieces.includes("out")) words.push(["exit"]);
}

/** The parts of a compound word, with what each can mean: "einfahrtsdatum" has two. */
function partsOf(word: string): (readonly Stem[])[] {
  vocabulary ??= readVocabulary();
  const { words, parts } = vocabulary;
  const isAnywhere = isUnspaced(word);
  if (!isAnywhere)
    for (let at = word.length - shortestWord; at >= shortestWord; at -= 1) {
      const [start, end] = [
        words.get(word.slice(0, at).replace(/s$/, "")) ?? words.get(word.slice(0, at)),
        words.get(word.slice(at)),
      ];
      if (start && end) return [start, end];
    }
  let rest = word;
  const found: (readonly Stem[])[] = [];
  for (const { text } of parts) {
    const at = isAnywhere ? rest.indexOf(text) : endOrStart(rest, text);
    if (at === -1) continue;
    found.push(words.get(text) ?? []);
    rest = `${rest.slice(0, at)} ${rest.slice(at + text.length)}`.trim();
  }
  return found;
}

/** The shortest word that can be a part of a compound of two known words. */
const shortestWord = 2;

function endOrStart(word: string, part: string): number {
  if (word.startsWith(part)) return 0;
  return word.endsWith(part) ? word.length - part.length : -1;
}
