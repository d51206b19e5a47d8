// Lays out a package in a folder exactly as it is published.
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { root } from "../security/repository.js";
import { carriedBy, readManifest } from "./carried.js";
import { carriedManifest, publishedManifest } from "./manifest.js";

/** Independent of the umask; npm keeps only the executable bit. */
const fileMode = 0o644;
const programMode = 0o755;

export function stage(
  /** @type {import("./packages.js").PublishedPackage} */ published,
  /** @type {string} */ folder,
) {
  const carried = carriedBy(published.folder);
  const manifest = publishedManifest(
    published,
    readManifest(published.folder),
    carried.map((workspace) => workspace.manifest),
  );
  writeJson(path.join(folder, "package.json"), manifest);
  copyFile(path.join(root, "LICENSE"), path.join(folder, "LICENSE"));
  copyFile(path.join(root, published.folder, "README.md"), path.join(folder, "README.md"));
  copyBuilt(published.folder, folder, published.hasDeclarations);
  for (const [place, source] of Object.entries(published.copied))
    copyFolder(source, path.join(folder, place));

  for (const workspace of carried) {
    const { hasDeclarations } = published;
    const inside = path.join(folder, "node_modules", workspace.manifest.name);
    writeJson(path.join(inside, "package.json"), carriedManifest(workspace.manifest, hasDeclarations));
    copyFile(path.join(root, "LICENSE"), path.join(inside, "LICENSE"));
    copyBuilt(workspace.folder, inside, hasDeclarations);
  }
}

/**
 * Copies migrations and the compiled form of current sources: dist may still contain files of deleted ones.
 */
function copyBuilt(
  /** @type {string} */ packageFolder,
  /** @type {string} */ folder,
  /** @type {boolean} */ hasDeclarations,
) {
  for (const source of filesBelow(path.join(root, packageFolder, "src"))) {
    if (source.endsWith(".sql"))
      copyFile(path.join(root, packageFolder, "src", source), path.join(folder, "src", source));
    if (!source.endsWith(".ts") || source.endsWith(".test.ts")) continue;
    const name = source.slice(0, -".ts".length);
    const built = (/** @type {string} */ suffix) => path.join(root, packageFolder, "dist", name + suffix);
    const text = readFileSync(built(".js"), "utf8").replace(/\n\/\/# sourceMappingURL=\S+\n?$/, "\n");
    write(path.join(folder, "dist", `${name}.js`), text);
    if (hasDeclarations) copyFile(built(".d.ts"), path.join(folder, "dist", `${name}.d.ts`));
  }
}

function copyFolder(/** @type {string} */ source, /** @type {string} */ folder) {
  const isPrograms = path.basename(folder) === "bin";
  for (const name of filesBelow(path.join(root, source)))
    copyFile(path.join(root, source, name), path.join(folder, name), isPrograms ? programMode : fileMode);
}

function filesBelow(/** @type {string} */ folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .toSorted();
}

function copyFile(/** @type {string} */ from, /** @type {string} */ to, mode = fileMode) {
  write(to, readFileSync(from), mode);
}

function writeJson(/** @type {string} */ file, /** @type {unknown} */ value) {
  write(file, `${JSON.stringify(value, null, 2)}\n`);
}

function write(/** @type {string} */ file, /** @type {string | Buffer} */ content, mode = fileMode) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
  chmodSync(file, mode);
}
