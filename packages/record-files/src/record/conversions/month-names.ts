/** The languages whose names of months and halves of a day are known. */
const languages = ["en", "de", "fr", "es", "it", "nl", "pt"];

let names: ReadonlyMap<string, number> | undefined;

/** The month, from 1, that a name or an abbreviation in one of the languages stands for. */
export function monthOf(name: string): number | undefined {
  names ??= new Map(languages.flatMap(namesIn));
  return names.get(plainMonth(name));
}

function namesIn(language: string): [string, number][] {
  return (["long", "short"] as const).flatMap((length) => {
    const format = new Intl.DateTimeFormat(language, { month: length, timeZone: "UTC" });
    return Array.from({ length: 12 }, (_, month): [string, number][] => {
      const name = plainMonth(format.format(Date.UTC(2026, month, 15)));
      return [
        [name, month + 1],
        [name.slice(0, 3), month + 1],
      ];
    }).flatMap((pair) => (isUnique(language) ? pair : pair.slice(0, 1)));
  });
}

/** In French, the first three letters of June and July are the same. */
function isUnique(language: string): boolean {
  return language !== "fr";
}

function plainMonth(name: string): string {
  return name
    .normalize("NFD")
    .toLowerCase()
    .replaceAll(/[^a-z]/g, "");
}
