// Constructions that make readers stop, and what to write instead. They count in documents, comments, log messages, console
// texts and titles of tests.

/** @type {[phrase: RegExp, instead: string][]} */
const rules = [
  [/\bwhoever\b/gi, "the person: the user, the operator, the caller"],
  [/\bwhatever (?:is|was|comes|came)\b/gi, "any, or the thing itself"],
  // "nobody" in quotes is the Unix account.
  [/(?<!")\bnobody\b|\bnobody\b(?!")/gi, "no one, or who does"],
  [/\banew\b/gi, "again, or new"],
  [/\ball the same\b/gi, "still, anyway"],
  [/\bof (?:its|their|our|your|his|her|one's) own\b/gi, "its own X, a separate X"],
  [/\bfor good\b/gi, "permanently"],
  [/\bpast (?:its|their) time\b/gi, "expired, older than the retention period"],
  [/\b(?:take|takes|taken|taking|took) back\b/gi, "undo, undone"],
  [/\bby (?:itself|themselves)\b/gi, "automatically, alone"],
  [/\b(?:is|are|was|were|be|been) told\b/gi, "learns, sees, is notified"],
  [/\b(?:come|comes|came) of it\b/gi, "the result"],
  [/\bthat which\b/gi, "the thing itself"],
  [
    /(?<!there )\b(?:is|are|was|were) no (?!longer|more|less|one|other)[a-z]{2,20}(?=[.,;:)]| (?:and|or|but|that|which|of)\b)/gi,
    "is not a",
  ],
];
const whatClause = /\bWhat (?:is|are|was|were|has|had|can|must|may) /g;
const insteadOfWhat = "begin with the subject";

/**
 * Finds such constructions in a text. A phrase may run over the end of a line.
 * @param {string} text
 */
export function findPhrases(text) {
  const lines = text.split("\n").map(withoutCommentMark);
  return lines.flatMap((line, index) => {
    const joined = `${line} ${lines[index + 1] ?? ""}`;
    const found = rules.flatMap(([pattern, instead]) =>
      [...joined.matchAll(pattern)]
        // A name such as noBody is not a word.
        .filter(({ 0: phrase }) => !/[a-z][A-Z]/.test(phrase))
        .map(({ 0: phrase, index: start }) => ({ start, phrase, instead })),
    );
    const statements = [...joined.matchAll(whatClause)]
      .filter(({ index: start }) =>
        isStatement(`${joined} ${lines.slice(index + 2, index + 4).join(" ")}`, start),
      )
      .map(({ 0: phrase, index: start }) => ({ start, phrase: phrase.trim(), instead: insteadOfWhat }));
    return [...found, ...statements]
      .filter(({ start }) => start < line.length)
      .map(({ phrase, instead }) => ({ line: index + 1, phrase, instead }));
  });
}

/** The text of a line with single spaces, without the mark of a comment. */
function withoutCommentMark(/** @type {string} */ line) {
  const words = line.split(/\s/).filter((word) => word !== "");
  if (["*", "//", "#", "/**"].includes(words[0] ?? "")) words.shift();
  return words.join(" ");
}

/** Whether a sentence begins there and ends with a period. A question ends with a question mark. */
function isStatement(/** @type {string} */ text, /** @type {number} */ start) {
  const before = text.slice(Math.max(0, start - 2), start);
  if (!/^$|[.!?:*/#|-] $|["'`]$/.test(before)) return false;
  const end = text.slice(start).search(/[.?!"'`|]/);
  return end >= 0 && text[start + end] === ".";
}
