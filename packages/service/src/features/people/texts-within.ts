import { isObject } from "@gatehouse-parking/contract";

/**
 * All texts in a JSON value, names of members among them. Numbers are texts too: a phone number may be sent as one.
 * Without recursion, because a value may be nested to any depth.
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

/** The same for the text of a valid JSON value, in which a name may come twice: a parsed value has the last one only. */
export function textsOfJson(json: string): string[] {
  const texts: string[] = [];
  replaceTexts(json, (text) => {
    texts.push(text);
    return false;
  });
  return texts;
}

/** Stands where a text was erased that cannot be absent. */
export const erasedText = "(erased)";

/** The same JSON, to the last space, without the strings, names and numbers that are to be erased. */
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

/** `at`: where the inside of the string begins. */
function endOfString(json: string, at: number): number {
  let end = json.indexOf('"', at);
  while (isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end + 1;
}

function isEscaped(json: string, at: number): boolean {
  let start = at;
  while (json[start - 1] === "\\") start -= 1;
  return (at - start) % 2 === 1;
}
