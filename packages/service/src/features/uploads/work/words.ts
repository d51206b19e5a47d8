/** What the library that reads files says of the command line, and what people in front of the console can do. */
const words: readonly [RegExp, string][] = [
  [/--time-format "[^"]*", or with "time"/g, '"time"'],
  [/ \(--(?:sheet|encoding) names another\)/g, ""],
  [/ \(--suggest-mapping drafts one\)/g, ""],
  [/, or add --ignore-unknown-columns/g, ", or have unknown columns ignored"],
  [/, add --delimiter (\S{1,8})/g, ", say so"],
  [/ \(--encoding\)/g, ""],
  [/ with --encoding/g, ""],
  [/\bin a mapping file\b/g, "in the mapping"],
  [/\b([Tt])he mapping file\b/g, "$1he mapping"],
];

export function inOurWords(message: string): string {
  return words.reduce((text, [theirs, ours]) => text.replaceAll(theirs, ours), message);
}
