/** A value as it is shown, and in the form that it shares with all other spellings of the same value. */
export interface Value {
  shown: string | null;
  compared: string | null;
}

/** A record field by field; a relation is the set of names it can be known by. What is not there is not compared. */
export interface Comparable {
  fields: Map<string, Value>;
  relations: Map<string, Set<string>>;
}

export interface Difference {
  field: string;
  stored: string | null;
  sent: string | null;
}

export function compare(before: Comparable, after: Comparable): Difference[] {
  const found: Difference[] = [];
  for (const [field, sent] of after.fields) {
    const stored = before.fields.get(field);
    if (stored && stored.compared !== sent.compared)
      found.push({ field, stored: shorten(stored.shown), sent: shorten(sent.shown) });
  }
  for (const [field, sent] of after.relations) {
    const stored = before.relations.get(field);
    if (stored && !isSame(stored, sent))
      found.push({ field, stored: shorten(firstOf(stored)), sent: shorten(firstOf(sent)) });
  }
  return found;
}

/** Both are nothing, or there is a name that both have. */
function isSame(stored: Set<string>, sent: Set<string>): boolean {
  return sent.size === 0 ? stored.size === 0 : [...sent].some((name) => stored.has(name));
}

function firstOf(names: Set<string>): string | null {
  return [...names][0] ?? null;
}

/** Longer values are cut, so that the differences of a run stay small whatever was sent. */
const maxShownLength = 1_000;

function shorten(text: string | null): string | null {
  return text !== null && text.length > maxShownLength ? `${text.slice(0, maxShownLength)}...` : text;
}
