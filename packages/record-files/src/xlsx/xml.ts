import { maxRowBytes } from "../table.js";
import { damaged } from "./zip.js";

/** What an XML document consists of, as far as spreadsheets need it. Prefixes of names are left out. */
export type XmlEvent =
  | { kind: "open"; name: string; attributes: ReadonlyMap<string, string> }
  | { kind: "close"; name: string }
  | { kind: "text"; text: string };

/**
 * Far more than any tag of a spreadsheet has, and than any value that matters is long. A tag is taken apart in one go, in which nobody
 * else has a turn.
 */
export const maxAttributes = 256;
const maxValueLength = 2_048;
/** As in &#1114111; */
const maxReferenceLength = 10;

/**
 * Walks over a document that comes in pieces, and yields what each piece has brought; a text may come in several of them. Document types, and with them entities of one's own, are refused: they are
 * what makes XML dangerous, and no spreadsheet has them.
 */
export async function* readXml(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<XmlEvent[]> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let held = "";
  for await (const chunk of chunks) {
    held += decode(() => decoder.decode(chunk, { stream: true }));
    let at = 0;
    const events: XmlEvent[] = [];
    for (;;) {
      const end = endOfToken(held, at);
      if (end === undefined) break;
      events.push(...eventsOf(held.slice(at, end)));
      at = end;
    }
    yield events;
    held = held.slice(at);
    if (held.length > maxRowBytes) throw damaged();
  }
  if (held.trim() !== "") throw damaged();
}

function decode(work: () => string): string {
  try {
    return work();
  } catch {
    throw damaged();
  }
}

/** A token is a tag, or text up to the next one, as far as it has come; undefined if there is none yet. */
function endOfToken(text: string, start: number): number | undefined {
  if (start >= text.length) return undefined;
  if (text[start] !== "<") {
    const next = text.indexOf("<", start);
    const end = next === -1 ? beforeCutReference(text) : next;
    return end > start ? end : undefined;
  }
  const [mark, end] = text.startsWith("<!--", start)
    ? ["<!--", "-->"]
    : text.startsWith("<![CDATA[", start)
      ? ["<![CDATA[", "]]>"]
      : ["<", ">"];
  // The beginning of a comment or of a section may itself be cut.
  if (mark === "<" && text.startsWith("<!", start) && text.length - start < 9) return undefined;
  const found = text.indexOf(end, start + mark.length);
  return found === -1 ? undefined : found + end.length;
}

/** The end of what has come, unless the rest of a reference such as &amp; is still to come. */
function beforeCutReference(text: string): number {
  const last = text.lastIndexOf("&");
  return last !== -1 && text.length - last < maxReferenceLength ? last : text.length;
}

function eventsOf(token: string): XmlEvent[] {
  if (!token.startsWith("<")) return [{ kind: "text", text: plainText(token) }];
  if (token.startsWith("<![CDATA[")) return [{ kind: "text", text: token.slice(9, -3) }];
  if (token.startsWith("<!--") || token.startsWith("<?")) return [];
  if (token.startsWith("<!")) throw damaged();
  if (token.startsWith("</")) return [{ kind: "close", name: localName(token.slice(2, -1).trim()) }];
  const isEmpty = token.endsWith("/>");
  const inside = token.slice(1, isEmpty ? -2 : -1);
  const name = localName(/^[^\s/]+/.exec(inside)?.[0] ?? "");
  const open: XmlEvent = { kind: "open", name, attributes: attributesOf(inside) };
  return isEmpty ? [open, { kind: "close", name }] : [open];
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

function attributesOf(inside: string): Map<string, string> {
  const attributes = new Map<string, string>();
  let count = 0;
  for (const [, name = "", value, other = ""] of inside.matchAll(/\s([^\s=]+)=(?:"([^"]*)"|'([^']*)')/g)) {
    count += 1;
    if (count > maxAttributes) throw damaged();
    attributes.set(name, plainText((value ?? other).slice(0, maxValueLength)));
  }
  return attributes;
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function plainText(text: string): string {
  if (!text.includes("&")) return text;
  return text.replaceAll(/&(#\d{1,7}|#x[0-9a-fA-F]{1,6}|[a-z]{2,4});/g, (whole, name: string) => {
    if (!name.startsWith("#")) return entities[name] ?? whole;
    const code = name.startsWith("#x") ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
