import { JsonRecord, type Members } from "./json-record.js";
import { nameIn, type Span } from "./scan.js";
import { walkInSteps, type Steps } from "./pacing.js";

/** The names of the members to build. */
export type WantedNames = ReadonlySet<string>;

/**
 * Reads a record that is too large or too deep to be parsed at once. Builds only the wanted members: scalars, and objects
 * of scalars. Deeper containers stay text, and the value has an empty container in their place.
 */
export function* readLargeInSteps(
  text: string,
  item: Span,
  names: WantedNames,
  maxDepth: number,
): Steps<JsonRecord> {
  const members: Members = new Map();
  const own = new Map<string, Span>();
  let nested = new Map<string, Span>();
  yield* walkInSteps(text, item.start, 2, (level, start, end, depth, nameStart, nameEnd) => {
    if (level === 0 || nameStart === -1) return;
    const name = shortNameAt(text, nameStart, nameEnd);
    const isWanted = name !== undefined && names.has(name);
    const span = { start: start - item.start, end: end - item.start, depth };
    if (level === 2) {
      if (isWanted) nested.set(name, span);
      return;
    }
    if (isWanted) {
      own.set(name, span);
      members.set(name, nested);
    }
    nested = new Map();
  });
  const ownText = text.slice(item.start, item.end);
  members.set("", own);
  return new JsonRecord(build(ownText, item, members), ownText, item.depth, maxDepth, members);
}

const maxNameLength = 256;

/** Undefined if the name is longer than that of any field. The range excludes the quotes. */
function shortNameAt(text: string, start: number, end: number): string | undefined {
  return end - start > maxNameLength ? undefined : nameIn(text, { start: start - 1, end: end + 1, depth: 0 });
}

function build(text: string, item: Span, members: Members): unknown {
  if (text[0] !== "{") return item.depth > 0 ? [] : JSON.parse(text);
  return buildObject(text, members.get("") as Map<string, Span>, (name, span) =>
    text[span.start] === "{"
      ? buildObject(text, members.get(name) as Map<string, Span>, (_, inner) => emptyContainer(text, inner))
      : [],
  );
}

function buildObject(
  text: string,
  members: Map<string, Span>,
  buildContainer: (name: string, span: Span) => unknown,
): Record<string, unknown> {
  const entries = [...members].map(([name, span]) => [
    name,
    span.depth > 0 ? buildContainer(name, span) : JSON.parse(text.slice(span.start, span.end)),
  ]);
  return Object.fromEntries(entries) as Record<string, unknown>;
}

function emptyContainer(text: string, span: Span): unknown {
  return text[span.start] === "{" ? {} : [];
}
