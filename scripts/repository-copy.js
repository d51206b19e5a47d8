// A copy of the repository for changing sources and running tests.
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync, utimesSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
/** What tests and the build need. */
const copied = [
  "packages",
  "testing",
  "acceptance",
  "scripts",
  "openapi.json",
  "package.json",
  "vitest.config.ts",
];

/** Packages are copied. Workspace links in node_modules point to the copies, all others to the originals. */
export function makeCopy(/** @type {string} */ copy) {
  const files = [...copied, ...readdirSync(root).filter((file) => /^tsconfig.*\.json$/.test(file))];
  for (const file of files)
    cpSync(path.join(root, file), path.join(copy, file), { recursive: true, verbatimSymlinks: true });
  const modules = path.join(root, "node_modules");
  mkdirSync(path.join(copy, "node_modules/@gatehouse-parking"), { recursive: true });
  for (const entry of readdirSync(modules))
    if (entry !== "@gatehouse-parking")
      symlinkSync(path.join(modules, entry), path.join(copy, "node_modules", entry));
  for (const name of readdirSync(path.join(root, "packages")))
    symlinkSync(`../../packages/${name}`, path.join(copy, "node_modules/@gatehouse-parking", name));
  keepConsole(copy);
}

/** Mutants do not change the console, so it is not rebuilt. */
export function keepConsole(/** @type {string} */ copy) {
  const built = path.join(copy, "packages/console/dist/index.html");
  if (existsSync(built)) utimesSync(built, new Date(), new Date());
}
