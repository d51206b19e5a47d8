/**
 * JSON that keeps stored text as it is. Metadata and amounts are in the database exactly as they were sent; parsing
 * them would lose digits, U+0000, lone surrogates or a `__proto__` key, so their text goes into the output unparsed.
 */
const exactText = Symbol("exact JSON text");

export interface ExactJson {
  readonly [exactText]: string;
}

/** Marks text that is JSON already. */
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

/** A line of NDJSON. Valid JSON has raw line breaks only between its tokens, where a space means the same. */
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
