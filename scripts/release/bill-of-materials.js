// The bill of materials (CycloneDX) of a package, created by npm from the part of the lockfile that the
// package needs.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { root } from "../security/repository.js";
import { npm } from "./npm.js";
import { carriedBy, readManifest } from "./carried.js";
import { publishedManifest } from "./manifest.js";

/** `folder` is a work folder for npm and must not exist. */
export function billOfMaterials(
  /** @type {import("./packages.js").PublishedPackage} */ published,
  /** @type {string} */ folder,
) {
  const carried = carriedBy(published.folder).map((workspace) => workspace.manifest);
  const manifest = manifestWithContents(published, carried);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "package.json"), JSON.stringify(manifest));
  writeFileSync(path.join(folder, "package-lock.json"), JSON.stringify(lockFor(manifest, carried)));
  // Removes from the lockfile what the package does not need.
  npm(["install", "--package-lock-only"], folder);
  const format = ["--sbom-format=cyclonedx", `--sbom-type=${published.kind}`];
  return `${JSON.stringify(reproducible(JSON.parse(npm(["sbom", "--package-lock-only", ...format], folder))), null, 2)}\n`;
}

/** The published manifest plus the dependencies of bundled contents, such as the console. */
function manifestWithContents(
  /** @type {import("./packages.js").PublishedPackage} */ published,
  /** @type {import("./carried.js").Manifest[]} */ carried,
) {
  const manifest = publishedManifest(published, readManifest(published.folder), carried);
  const inside = published.contains.map((/** @type {string} */ folder) => readManifest(folder).dependencies);
  const ownNames = new Set(
    readManifest("").workspaces.map((/** @type {string} */ folder) => readManifest(folder).name),
  );
  const foreign = Object.entries(Object.assign({}, ...inside)).filter(([name]) => !ownNames.has(name));
  return {
    ...manifest,
    dependencies: { ...manifest.dependencies, ...Object.fromEntries(foreign) },
    overrides: readManifest("").overrides,
  };
}

/** The lockfile, reduced to this package and what it carries. */
function lockFor(/** @type {any} */ manifest, /** @type {import("./carried.js").Manifest[]} */ carried) {
  const lock = JSON.parse(readFileSync(path.join(root, "package-lock.json"), "utf8"));
  const foreign = Object.entries(lock.packages).filter(
    ([place, entry]) => place.startsWith("node_modules/") && !entry.link,
  );
  const inside = carried.map(({ name, version, license }) => [
    `node_modules/${name}`,
    { version, license, inBundle: true },
  ]);
  return {
    ...lock,
    name: manifest.name,
    packages: {
      "": manifest,
      ...Object.fromEntries(foreign),
      ...Object.fromEntries(inside),
    },
  };
}

/**
 * npm uses a random serial number and the current time; this makes both deterministic.
 * @param {Record<string, any>} made
 */
function reproducible({ serialNumber: _drawn, ...bill }) {
  const { timestamp: _now, component, ...metadata } = bill.metadata;
  // npm names the component after its work folder.
  const [name] = component["bom-ref"].split(/(?<=.)@/);
  /** @type {Record<string, any>} */
  const content = { ...bill, metadata: { ...metadata, component: { ...component, name } } };
  const digest = createHash("sha256").update(JSON.stringify(content)).digest("hex");
  const { bomFormat, specVersion, $schema, ...rest } = content;
  return { $schema, bomFormat, specVersion, serialNumber: `urn:uuid:${uuidOf(digest)}`, ...rest };
}

/** UUID version 8 allows custom bits. */
function uuidOf(/** @type {string} */ hex) {
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return parts.join("-");
}
