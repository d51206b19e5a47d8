import { canonicalDecimal, isObject, maxMetadataDepth } from "@gatehouse-parking/contract";
import { scanValue } from "@gatehouse-parking/json-text";

/** JSON that is longer or deeper is compared as it is spelled: to take it apart would hold up the others, or overflow. */
const maxComparedLength = 16_384;
/** A string that never ends would reach to the end of the text, so that no quote is looked at twice. */
const stringOrNumber = /"(?:[^"\\]|\\.)*(?:"|\\?$)|-?\d[\d.eE+-]*/gs;

/** Order of keys, spacing and escapes make no difference, but every digit of a number does. */
export function canonicalJson(text: string): string {
  if (text.length > maxComparedLength || scanValue(text, 0).depth > maxMetadataDepth) return text;
  const exact = text.replaceAll(stringOrNumber, (token) =>
    token.startsWith('"') ? `"s${token.slice(1)}` : `"n${canonicalDecimal(token)}"`,
  );
  return JSON.stringify(JSON.parse(exact), (_key, inner: unknown) =>
    isObject(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
