// Generated files are committed, so that people can read them and see changes.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Writes the file. With --check, reports whether the committed file is up to date. */
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
