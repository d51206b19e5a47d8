/**
 * JSON text that is copied into the output unparsed. Metadata and amounts are stored exactly as they were sent; parsing
 * would lose digits, U+0000, lone surrogates or a `__proto__` key.
 */
const exactText = Symbol("exact JSON text");

export interface ExactJson {
  readonly [exactText]: string;
}

export function exactJson(text: string): ExactJson {
  return { [exactText]: text };
}

export function isExactJson(value: unknown): value is ExactJson {
  return typeof value === "object" && value !== null && exactText in value;
}

export function exactJsonText(value: ExactJson): string {
  return value[exactText];
}

/** As JSON.stringify, but marked text is copied as it is. Members whose value is undefined are left out. */
export function stringifyExactly(value: unknown, indent = 0): string {
  return write(value, indent, "");
}

/** A line of NDJSON. In valid JSON, raw line breaks are only between tokens, so spaces can replace them. */
export function jsonLine(value: unknown): string {
  return `${stringifyExactly(value).replaceAll(/[\r\n]+/g, " ")}\n`;
}

function write(value: unknown, indent: number, margin: string): string {
  if (isExactJson(value)) return value[exactText];
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (value instanceof Date) return JSON.stringify(value);

  const inner = margin + " ".repeat(indent);
  const items = Array.isArray(value)
    ? value.map((item) => write(item, indent, inner))
    : Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .map(
          ([name, member]) => `${JSON.stringify(name)}:${indent ? " " : ""}${write(member, indent, inner)}`,
        );
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  if (items.length === 0) return open + close;
  return indent
    ? `${open}\n${inner}${items.join(`,\n${inner}`)}\n${margin}${close}`
    : open + items.join(",") + close;
}
