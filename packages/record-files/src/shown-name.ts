const maxNameLength = 80;
const maxNames = 10;

/** A name out of a file as messages show it, whatever its length. */
export function shownName(name: string): string {
  return `"${name.length > maxNameLength ? `${name.slice(0, maxNameLength)}...` : name}"`;
}

/** The first of them, and how many more there are. */
export function shownNames(names: readonly string[], show: (name: string) => string = shownName): string {
  const more = names.length - maxNames;
  const first = names.slice(0, maxNames).map(show).join(", ");
  return more > 0 ? `${first} and ${more.toLocaleString("en")} more` : first;
}
