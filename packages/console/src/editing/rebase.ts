/**
 * What a form holds after somebody else saved: fields that were changed here stay as they were typed, all others become
 * what is saved now. Where both changed the same field, and not to the same, the two clash.
 */
export function rebase<Values extends Record<string, unknown>>(
  opened: Values,
  typed: Values,
  saved: Values,
): { values: Values; clashes: (keyof Values & string)[] } {
  const values = { ...saved };
  const clashes: (keyof Values & string)[] = [];
  for (const field of Object.keys(typed) as (keyof Values & string)[]) {
    if (isSame(typed[field], opened[field])) continue;
    values[field] = typed[field];
    if (!isSame(saved[field], opened[field]) && !isSame(saved[field], typed[field])) clashes.push(field);
  }
  return { values, clashes };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
