import { JsonRecord, type Members } from "./json-record.js";
import { nameIn, type Span } from "./scan.js";
import { walkInSteps, type Steps } from "./pacing.js";

/** The fields that anybody looks at; the others are dropped. */
export type WantedNames = ReadonlySet<string>;

/**
 * Reads a record that is too large or too deep to be parsed at once. Of it only the members that somebody looks at are
 * built: scalars, and objects of scalars. Whatever else lies inside stays text, with an empty container in its place.
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

/** No field has a name as long as this, however it is spelled. The name stands between its quotes. */
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
