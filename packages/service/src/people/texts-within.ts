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
