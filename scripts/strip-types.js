// Strips the types of the packages' sources for `npm start`, which is much faster than compiling. `npm run
// build` checks types and writes declarations.
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

/** Writes files that are missing or older than their source. */
export async function stripTypes(/** @type {string} */ root) {
  const { references } = JSON.parse(readFileSync(path.join(root, "tsconfig.json"), "utf8"));
  const stale = references
    .flatMap((/** @type {any} */ reference) => sourcesOf(path.join(root, reference.path)))
    .filter(
      (/** @type {{ source: any, built: any }} */ { source, built }) => changedAt(built) < changedAt(source),
    );
  if (stale.length === 0) return;
  const { transformSync } = await import("rolldown/utils");
  for (const { source, built } of stale) {
    const { code, errors } = transformSync(source, readFileSync(source, "utf8"), {
      target: "es2023",
      tsconfig: false,
      typescript: { onlyRemoveTypeImports: true },
    });
    if (errors[0]) throw errors[0];
    mkdirSync(path.dirname(built), { recursive: true });
    // Written under a temporary name first, because a truncated file would count as built.
    writeFileSync(`${built}.part`, code);
    renameSync(`${built}.part`, built);
  }
}

function sourcesOf(/** @type {string} */ folder) {
  const sources = path.join(folder, "src");
  return readdirSync(sources, { encoding: "utf8", recursive: true })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => ({
      source: path.join(sources, name),
      built: path.join(folder, "dist", name.replace(/\.ts$/, ".js")),
    }));
}

function changedAt(/** @type {string} */ file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
