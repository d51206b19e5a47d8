// Files that are made from the code and committed all the same, so that people can read them and changes show up.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Writes the file, or with --check on the command line says whether it is as it should be. */
export function compareOrWrite(
  /** @type {string} */ name,
  /** @type {string} */ text,
  /** @type {string} */ command,
) {
  const file = path.join(root, name);
  if (!process.argv.includes("--check")) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    console.log(`wrote ${name}`);
  } else if (read(file) === text) {
    console.log(`${name} is up to date`);
  } else {
    console.error(`${name} differs from what the code says. Run: ${command}`);
    process.exitCode = 1;
  }
}

function read(/** @type {string} */ file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
