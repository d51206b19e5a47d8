/** Separates names; no name that can be typed holds it. */
const separator = "\u001f";
const firstBasis = 0x811c9dc5;
const secondBasis = 0x1b873593;

/**
 * A fingerprint of a header: the same for files whose columns have the same names, in whatever order, case and spacing.
 * It tells files apart that come from different systems; it is no secret and no proof.
 */
export function headerShape(columns: readonly string[]): string {
  const names = columns.map((name) => name.trim().toLowerCase().split(/\s+/).join(" "));
  const text = names.toSorted().join(separator);
  return hashed(text, firstBasis) + hashed(text, secondBasis);
}

/** FNV-1a over the units of the text, which is quick, and the same in every browser. */
function hashed(text: string, basis: number): string {
  let hash = basis;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
