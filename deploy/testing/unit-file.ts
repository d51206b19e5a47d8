/** What a unit file of systemd assigns, by section and name; a name can be assigned several times. */
export type UnitFile = Record<string, Record<string, string[]>>;

export function readUnitFile(text: string): UnitFile {
  const unit: UnitFile = {};
  let section: Record<string, string[]> | undefined;
  for (const line of text.split("\n").map((each) => each.trim())) {
    if (line === "" || line.startsWith("#") || line.startsWith(";")) continue;
    const [, title] = /^\[(\w+)\]$/.exec(line) ?? [];
    if (title !== undefined) {
      section = unit[title] ??= {};
      continue;
    }
    const at = line.indexOf("=");
    if (at < 1 || section === undefined) throw new Error(`No assignment: ${line}`);
    (section[line.slice(0, at)] ??= []).push(line.slice(at + 1));
  }
  return unit;
}

/** `NAME=value` pairs, as in Environment= (several on a line) and in an EnvironmentFile (one on a line). */
export function readAssignments(pairs: string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf("=");
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

/** The script of an `ExecStart=/bin/sh -c '...'`, as the shell gets it: systemd takes $$ and %% for $ and %. */
export function shellScriptOf(command: string): string {
  const [, script] = /^\/bin\/sh -c '([^']+)'$/.exec(command) ?? [];
  if (script === undefined) throw new Error(`No script: ${command}`);
  return script.replaceAll("$$", "$").replaceAll("%%", "%");
}
