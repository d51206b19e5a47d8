// Constructions that make readers stop, and what to write instead. They count in documents, comments, log messages, console
// texts and titles of tests.

/** @type {[words: string, instead: string][]} */
const rules = [
  ["whoever", "the person: the user, the operator, the caller"],
  ["whatever (?:is|was|comes|came)", "any, or the thing itself"],
  ["nobody", "no one, or who does"],
  ["anew", "again, or new"],
  ["all the same", "still, anyway"],
  ["of (?:its|their|our|your|his|her|one's) own", "its own X, a separate X"],
  ["for good", "permanently"],
  ["past (?:its|their) time", "expired, older than the retention period"],
  ["(?:take|takes|taken|taking|took) back", "undo, undone"],
  ["by (?:itself|themselves)", "automatically, alone"],
  ["(?:is|are|was|were|be|been) told", "learns, sees, is notified"],
  ["(?:come|comes|came) of it", "the result"],
  ["that which", "the thing itself"],
  [
    "(?<!there )(?:is|are|was|were) no (?!longer|more|less|one|other)[a-z]+(?=[.,;:)]| (?:and|or|but|that|which|of)\\b)",
    "is not a",
  ],
];
const phrases = rules.map(([words, instead]) => ({
  pattern: new RegExp(String.raw`\b${words}\b`.replaceAll(" ", String.raw`\s+`), "gi"),
  instead,
}));
/** A statement that begins with a question word. Questions end with a question mark and stay. */
const whatStatement = {
  pattern:
    /(?<=^|[.!?:]\s+|["'`*/#|-]\s+)What(?=\s+(?:is|are|was|were|has|had|can|must|may)\s[^.?!"'`|]{3,200}\.(?:\s|$|["'`]))/gm,
  instead: "begin with the subject",
};

/**
 * Where such constructions are in a text.
 * @param {string} text
 */
export function findPhrases(text) {
  // A sentence may run over lines, each with the mark of a comment. Positions stay.
  const flat = text.replaceAll(/\n[ \t]*(?:\/\/|\*(?!\/)|#+ )?/g, (mark) => "\n".padEnd(mark.length));
  return [...phrases, whatStatement].flatMap(({ pattern, instead }) =>
    [...flat.matchAll(pattern)]
      // A name such as noBody is not a word.
      .filter(({ 0: phrase }) => !/[a-z][A-Z]/.test(phrase))
      .map(({ 0: phrase, index }) => ({
        line: flat.slice(0, index).split("\n").length,
        phrase: phrase.replaceAll(/\s+/g, " "),
        instead,
      })),
  );
}
