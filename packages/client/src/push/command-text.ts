/** An option as the user typed it. */
export interface TypedOption {
  flag: string;
  value?: string;
}

/** The options in a command line. `takesValue` tells which of them are followed by a value. */
export function typedOptions(args: readonly string[], takesValue: (flag: string) => boolean): TypedOption[] {
  const options: TypedOption[] = [];
  for (let position = 0; position < args.length; position += 1) {
    const word = args[position] as string;
    if (word === "--") break;
    if (!word.startsWith("--")) continue;
    const equals = word.indexOf("=");
    if (equals !== -1) options.push({ flag: word.slice(0, equals), value: word.slice(equals + 1) });
    else if (takesValue(word)) {
      position += 1;
      options.push({ flag: word, value: args[position] ?? "" });
    } else options.push({ flag: word });
  }
  return options;
}

/** Options that replace those of the user: a value, true for a switch, undefined to leave it out. */
export type ChangedOptions = Readonly<Record<string, string | true | undefined>>;

/** A command for the shell that repeats the options of the user with changes, so that it works as printed. */
export function commandText(
  words: readonly string[],
  options: readonly TypedOption[],
  changes: ChangedOptions = {},
): string {
  const kept = options.flatMap((option) =>
    Object.hasOwn(changes, option.flag) ? changed(option.flag, changes[option.flag]) : option,
  );
  const added = Object.entries(changes).flatMap(([flag, value]) =>
    options.some((option) => option.flag === flag) ? [] : changed(flag, value),
  );
  return ["gatehouse-push", ...words, ...[...kept, ...added].flatMap(wordsOf)].map(quoted).join(" ");
}

function changed(flag: string, value: string | true | undefined): TypedOption[] {
  if (value === undefined) return [];
  return [value === true ? { flag } : { flag, value }];
}

/** A value that begins with a dash would be read as an option. */
function wordsOf({ flag, value }: TypedOption): string[] {
  if (value === undefined) return [flag];
  return value.startsWith("-") ? [`${flag}=${value}`] : [flag, value];
}

/** Quotes a word for a POSIX shell where that is needed, if possible so that other shells also understand it. */
function quoted(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return /["$`\\!]/.test(word) ? `'${word.replaceAll("'", "'\\''")}'` : `"${word}"`;
}
