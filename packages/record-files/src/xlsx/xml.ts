import { SaxesParser } from "saxes";
import { inputError } from "../refusals.js";
import { maxRowBytes } from "../table.js";

/** The XML events that spreadsheets need. Element names have no prefix. */
export type XmlEvent =
  | { kind: "open"; name: string; attributes: Readonly<Record<string, string | undefined>> }
  | { kind: "close"; name: string }
  | { kind: "text"; text: string };

/** Far more than any tag of a spreadsheet. */
export const maxAttributes = 256;
/** The parser remembers every open element. Spreadsheets use about ten levels. */
export const maxDepth = 256;
/** The parser buffers a token until it ends, even if it arrives in small pieces. */
const maxTokenLength = maxRowBytes;

/**
 * Parses a document piece by piece and yields the events that each piece completes. Rejects document types
 * and thereby entities, which make XML dangerous. `tooLong` is thrown for a tag or text above 5 MB.
 */
export async function* readXml(
  chunks: AsyncIterable<Uint8Array>,
  tooLong: () => Error = () => inputError(1, "spreadsheetDamaged"),
): AsyncGenerator<XmlEvent[]> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const document = new DocumentEvents();
  let tokenLength = 0;
  for await (const chunk of chunks) {
    const text = orDamaged(() => decoder.decode(chunk, { stream: true }));
    const events = orDamaged(() => document.write(text));
    tokenLength = events.length > 0 ? 0 : tokenLength + text.length;
    if (tokenLength > maxTokenLength) throw tooLong();
    yield events;
  }
  yield orDamaged(() => document.end(decoder.decode()));
}

function orDamaged<T>(work: () => T): T {
  try {
    return work();
  } catch {
    throw inputError(1, "spreadsheetDamaged");
  }
}

/** Collects parser events. Any parser error means that the document is not well-formed. */
class DocumentEvents {
  readonly #parser = new SaxesParser({ xmlns: false as const, position: false });
  #events: XmlEvent[] = [];
  #attributes = 0;
  #depth = 0;

  constructor() {
    const parser = this.#parser;
    parser.on("attribute", () => {
      this.#attributes += 1;
      if (this.#attributes > maxAttributes) throw inputError(1, "spreadsheetDamaged");
    });
    parser.on("opentag", ({ name, attributes }) => {
      this.#attributes = 0;
      this.#depth += 1;
      if (this.#depth > maxDepth) throw inputError(1, "spreadsheetDamaged");
      this.#events.push({ kind: "open", name: localName(name), attributes });
    });
    parser.on("closetag", ({ name }) => {
      this.#depth -= 1;
      this.#events.push({ kind: "close", name: localName(name) });
    });
    const addText = (text: string): void => void this.#events.push({ kind: "text", text });
    parser.on("text", addText);
    parser.on("cdata", addText);
    parser.on("doctype", () => {
      throw inputError(1, "spreadsheetDamaged");
    });
  }

  write(text: string): XmlEvent[] {
    this.#parser.write(text);
    return this.#take();
  }

  end(text: string): XmlEvent[] {
    this.#parser.write(text).close();
    return this.#take();
  }

  #take(): XmlEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }
}

function localName(name: string): string {
  const colon = name.indexOf(":");
  return colon === -1 ? name : name.slice(colon + 1);
}
