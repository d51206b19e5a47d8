/** Languages of month names. In the second list, three letters may be the beginning of two months. */
const languages = ["en", "de", "es", "it", "nl", "pt"];
const withoutPrefixes = ["fr", "pl", "cs", "sv", "da", "nb", "fi", "tr"];

let names: ReadonlyMap<string, number> | undefined;

/** The month number of a name or abbreviation, also as it is written after a day; undefined if it has two meanings. */
export function monthOf(name: string): number | undefined {
  names ??= collectNames();
  return names.get(plainMonth(name)) || undefined;
}

function collectNames(): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  const add = (name: string, month: number) =>
    // A name of two months stands for none.
    found.set(name, (found.get(name) ?? month) === month ? month : 0);
  for (const [language, month, name] of allNames()) {
    add(plainMonth(name), month);
    if (languages.includes(language)) add(plainMonth(name).slice(0, 3), month);
  }
  return found;
}

function* allNames(): Generator<[language: string, month: number, name: string]> {
  for (const language of [...languages, ...withoutPrefixes])
    for (const length of ["long", "short"] as const)
      for (const day of [undefined, "numeric"] as const) {
        const format = new Intl.DateTimeFormat(language, { month: length, day, timeZone: "UTC" });
        for (let month = 1; month <= 12; month += 1) {
          const parts = format.formatToParts(Date.UTC(2026, month - 1, 15));
          const name = parts.find(({ type }) => type === "month")?.value ?? "";
          if (/\p{L}/u.test(name)) yield [language, month, name];
        }
      }
}

function plainMonth(name: string): string {
  return name
    .normalize("NFD")
    .toLowerCase()
    .replaceAll("\u0131", "i")
    .replaceAll(/[^a-z]/g, "");
}
