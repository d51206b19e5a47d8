import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";

/**
 * The component library's styles without those of unused components, which are more than half. Like a bundler, it starts
 * with the names that our sources import and follows the imports of the library's modules.
 */
export async function stylesInUse(): Promise<string> {
  const library = fileURLToPath(import.meta.resolve("@mantine/core"));
  const styles = path.resolve(path.dirname(library), "../styles");
  const used = await classesOf(await modulesOf(library, await importedNames()));
  const whole = await readFile(path.join(styles, "../styles.css"), "utf8");
  const files: { text: string; position: number }[] = [];
  for (const name of await readdir(styles)) {
    if (!name.endsWith(".css") || name.endsWith(".layer.css")) continue;
    const text = await readFile(path.join(styles, name), "utf8");
    const classes = text.match(hashedClass);
    // Styles without a component's class apply to every page.
    if (classes && !classes.some((one) => used.has(one))) continue;
    files.push({ text, position: whole.indexOf(text.trim()) });
  }
  if (files.some(({ position }) => position === -1)) throw new Error("A style is not part of styles.css");
  return files
    .toSorted((one, other) => one.position - other.position)
    .map(({ text }) => text)
    .join("\n");
}

const hashedClass = /\bm_[0-9a-f]+\b/g;

/** The names imported by our sources and by packages built on the library. */
async function importedNames(): Promise<Set<string>> {
  const folders = [
    new URL("src/", import.meta.url),
    new URL(".", import.meta.resolve("@mantine/notifications")),
    new URL(".", import.meta.resolve("@mantine/charts")),
  ].map((url) => fileURLToPath(url));
  const names = new Set<string>();
  for (const folder of folders)
    for (const file of await readdir(folder, { recursive: true })) {
      if (!/\.(tsx?|mjs)$/.test(file)) continue;
      const text = await readFile(path.join(folder, file), "utf8");
      for (const [, list = ""] of text.matchAll(/import \{([^{}]*)\} from "@mantine\/core"/g))
        for (const name of list.split(",")) names.add(name.trim());
    }
  return names;
}

/** The modules with these exports, and all modules that they import. */
async function modulesOf(index: string, names: ReadonlySet<string>): Promise<Set<string>> {
  const found = new Set<string>();
  const exported = await readFile(index, "utf8");
  const waiting = [...exported.matchAll(/import \{([^{}]*)\} from "(\.[^"]*)"/g)]
    .filter(([, list = ""]) => list.split(",").some((name) => names.has(name.trim())))
    .map(([, , file = ""]) => path.resolve(path.dirname(index), file));
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    const text = await readFile(file, "utf8");
    for (const [, imported = ""] of text.matchAll(/from "(\.[^"]*)"/g))
      waiting.push(path.resolve(path.dirname(file), imported));
  }
  return found;
}

async function classesOf(modules: ReadonlySet<string>): Promise<Set<string>> {
  const classes = new Set<string>();
  for (const file of modules) {
    if (!file.endsWith(".module.mjs")) continue;
    for (const one of (await readFile(file, "utf8")).match(hashedClass) ?? []) classes.add(one);
  }
  return classes;
}
