import { isObject } from "@gatehouse-parking/contract";

/**
 * All strings and numbers in a parsed JSON value, member names included: a phone number may be sent as a number. Not recursive,
 * because a value may be nested to any depth.
 */
export function textsWithin(root: unknown): string[] {
  const texts: string[] = [];
  const open = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === "string" || typeof value === "number") texts.push(String(value));
    else if (Array.isArray(value)) for (const inner of value) open.push(inner);
    else if (isObject(value)) for (const [name, inner] of Object.entries(value)) open.push(name, inner);
  }
  return texts;
}

/** The same for JSON text. Unlike a parsed object, it shows every value of a name that occurs twice. */
export function textsOfJson(json: string): string[] {
  const texts: string[] = [];
  replaceTexts(json, (text) => {
    texts.push(text);
    return false;
  });
  return texts;
}

/** Replaces an erased text in a place that must not be empty. */
export const erasedText = "(erased)";

/** The same JSON, with its spaces, but without the strings, names and numbers to erase. */
export function replaceTexts(json: string, isErased: (text: string) => boolean): string {
  let replaced = "";
  for (let at = 0; ;) {
    const start = json.indexOf('"', at);
    const outside = json.slice(at, start === -1 ? json.length : start);
    replaced += outside.replaceAll(/-?\d[\d.eE+-]*/g, (number) =>
      isErased(String(Number(number))) ? "null" : number,
    );
    if (start === -1) return replaced;
    at = endOfString(json, start + 1);
    const string = json.slice(start, at);
    replaced += isErased(JSON.parse(string) as string) ? JSON.stringify(erasedText) : string;
  }
}

function endOfString(json: string, contentStart: number): number {
  let end = json.indexOf('"', contentStart);
  while (isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end + 1;
}

function isEscaped(json: string, at: number): boolean {
  let start = at;
  while (json[start - 1] === "\\") start -= 1;
  return (at - start) % 2 === 1;
}
