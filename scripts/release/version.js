// Sets the version of the changelog in every package.json and the lockfile; with --check, lists the files
// that differ.
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { isMain, report, root } from "../security/repository.js";
import { newestRelease } from "./changelog.js";

const dependencyFields = ["dependencies", "devDependencies"];

/** Sets the version of a manifest or lockfile entry and of its dependencies on other workspaces. */
function withVersion(
  /** @type {Record<string, any>} */ manifest,
  /** @type {string} */ version,
  /** @type {Set<string>} */ ownNames,
) {
  /** @type {Record<string, any>} */
  const changed = { ...manifest, version };
  for (const field of dependencyFields.filter((name) => manifest[name])) {
    changed[field] = Object.fromEntries(
      Object.entries(manifest[field]).map(([name, range]) => [name, ownNames.has(name) ? version : range]),
    );
  }
  return changed;
}

/**
 * The files with the version set. `files` contains package.json, package-lock.json and those of all
 * workspaces.
 */
export function filesWithVersion(/** @type {Record<string, any>} */ files, /** @type {string} */ version) {
  const { workspaces } = files["package.json"];
  const manifests = [
    "package.json",
    ...workspaces.map((/** @type {string} */ folder) => `${folder}/package.json`),
  ];
  const ownNames = new Set(manifests.map((file) => files[file].name));
  const lock = files["package-lock.json"];
  const entries = ["", ...workspaces].map((place) => [
    place,
    withVersion(lock.packages[place], version, ownNames),
  ]);
  return {
    ...Object.fromEntries(manifests.map((file) => [file, withVersion(files[file], version, ownNames)])),
    "package-lock.json": { ...lock, version, packages: { ...lock.packages, ...Object.fromEntries(entries) } },
  };
}

/** The current content of all files with a version. */
export function readVersionedFiles() {
  const read = (/** @type {string} */ file) => JSON.parse(readFileSync(path.join(root, file), "utf8"));
  const { workspaces } = read("package.json");
  const names = [
    "package.json",
    "package-lock.json",
    ...workspaces.map((/** @type {string} */ folder) => `${folder}/package.json`),
  ];
  return Object.fromEntries(names.map((name) => [name, read(name)]));
}

/** The files whose version differs. */
export function filesThatDiffer(/** @type {Record<string, any>} */ files, /** @type {string} */ version) {
  const wanted = filesWithVersion(files, version);
  return Object.keys(files).filter((name) => JSON.stringify(files[name]) !== JSON.stringify(wanted[name]));
}

if (isMain(import.meta.url)) {
  const { version } = newestRelease(readFileSync(path.join(root, "CHANGELOG.md"), "utf8"));
  const files = readVersionedFiles();
  const different = filesThatDiffer(files, version);
  if (process.argv.includes("--check")) {
    report(
      different.map(
        (name) =>
          `${name} does not say ${version} as CHANGELOG.md does. Run: node scripts/release/version.js`,
      ),
      `every package is ${version}, as the changelog says`,
    );
  } else {
    const wanted = filesWithVersion(files, version);
    for (const name of different) {
      writeFileSync(path.join(root, name), `${JSON.stringify(wanted[name], null, 2)}\n`);
      console.log(`wrote ${name}`);
    }
  }
}
