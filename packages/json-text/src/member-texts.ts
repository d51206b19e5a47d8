import { openBrace, skipSpace } from "./characters.js";
import { scanMembers } from "./scan.js";

/** The texts of the members of an object; undefined for any other value. The text must be valid JSON. */
export function memberTexts(text: string, atMost?: number): Map<string, string> | undefined {
  const start = skipSpace(text, 0);
  if (text.charCodeAt(start) !== openBrace) return undefined;
  const members = new Map<string, string>();
  for (const [name, span] of scanMembers(text, start, atMost))
    members.set(name, text.slice(span.start, span.end));
  return members;
}
