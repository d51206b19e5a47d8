// Makes JavaScript of the packages' sources by leaving their types out: what `npm start` needs, in a fraction of the time
// that the compiler takes. Nothing is checked here, and nothing is declared; `npm run build` does both.
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

/** Writes what is missing or older than its source. */
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
    // Under another name first: a file that is cut short would count as made.
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
