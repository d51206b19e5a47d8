/**
 * The shape of a value: each run of digits becomes as many nines, each run of letters A (capitals), Aa (a capitalized
 * word) or a. "12.04.2026 AB" has the shape "99.99.9999 A".
 */
export interface Shape {
  text: string;
  /** The runs of digits, in order. */
  digits: string[];
}

/** Longer values are free text; their rest is cut off. */
const maxShapedLength = 80;
const maxRunLength = 20;

export function shapeOf(value: string): Shape {
  const text = value.length > maxShapedLength ? value.slice(0, maxShapedLength) : value;
  const digits: string[] = [];
  let shape = "";
  for (let at = 0; at < text.length;) {
    const kind = kindOf(text.charCodeAt(at));
    let end = at + 1;
    if (kind !== "other") while (end < text.length && kindOf(text.charCodeAt(end)) === kind) end += 1;
    const run = text.slice(at, end);
    if (kind === "digit") {
      digits.push(run);
      shape += "9".repeat(Math.min(run.length, maxRunLength));
    } else shape += kind === "letter" ? lettersOf(run) : run;
    at = end;
  }
  return { text: value.length > maxShapedLength ? `${shape}…` : shape, digits };
}

function lettersOf(run: string): string {
  const [first = ""] = run;
  const lower = run.toLowerCase();
  if (run.toUpperCase() === lower) return "a";
  if (run === run.toUpperCase()) return "A";
  return first !== first.toLowerCase() && run.slice(first.length) === lower.slice(first.length) ? "Aa" : "a";
}

/** Every character outside of ASCII counts as a letter, except punctuation and spaces of common scripts. */
function kindOf(code: number): "digit" | "letter" | "other" {
  if (code >= 48 && code <= 57) return "digit";
  if ((code >= 65 && code <= 90) || (code >= 97 && code <= 122)) return "letter";
  if (code < 0xc0 || (code >= 0x2000 && code <= 0x206f) || (code >= 0x20a0 && code <= 0x20cf)) return "other";
  return (code >= 0x3000 && code <= 0x303f) || (code >= 0xff00 && code <= 0xff20) ? "other" : "letter";
}
