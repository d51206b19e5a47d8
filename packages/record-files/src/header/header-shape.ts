/** Separates names; it cannot be typed in a name. */
const separator = "\u001f";
const firstBasis = 0x811c9dc5;
const secondBasis = 0x1b873593;

/**
 * A fingerprint of a header, equal for files with the same column names in any order, case and spacing. It is
 * not secret and proves nothing.
 */
export function headerShape(columns: readonly string[]): string {
  const names = columns.map((name) => name.trim().toLowerCase().split(/\s+/).join(" "));
  const text = names.toSorted().join(separator);
  return hashed(text, firstBasis) + hashed(text, secondBasis);
}

/** FNV-1a over UTF-16 code units: fast, and equal in every browser. */
function hashed(text: string, basis: number): string {
  let hash = basis;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
