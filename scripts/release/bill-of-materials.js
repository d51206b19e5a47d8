// What a package consists of when it is installed with the versions of the lock, as CycloneDX: made by npm, of the part
// of the lock that the package needs.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { root } from "../security/repository.js";
import { npm } from "./npm.js";
import { carriedBy, readManifest } from "./carried.js";
import { publishedManifest } from "./manifest.js";

/** `folder` is for npm to work in, and does not exist yet. */
export function billOfMaterials(
  /** @type {import("./packages.js").PublishedPackage} */ published,
  /** @type {string} */ folder,
) {
  const carried = carriedBy(published.folder).map((workspace) => workspace.manifest);
  const manifest = manifestWithContents(published, carried);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "package.json"), JSON.stringify(manifest));
  writeFileSync(path.join(folder, "package-lock.json"), JSON.stringify(lockFor(manifest, carried)));
  // Drops from the lock what the package does not need.
  npm(["install", "--package-lock-only"], folder);
  const format = ["--sbom-format=cyclonedx", `--sbom-type=${published.kind}`];
  return `${JSON.stringify(reproducible(JSON.parse(npm(["sbom", "--package-lock-only", ...format], folder))), null, 2)}\n`;
}

/** The manifest that is published, plus the dependencies of what is inside in another form, as the console's are. */
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

/** The checkout's lock, as if this package stood alone in it and carried what it does. */
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
 * npm draws a number and notes the time; here the same content always has the same number, and no time.
 * @param {Record<string, any>} made
 */
function reproducible({ serialNumber: _drawn, ...bill }) {
  const { timestamp: _now, component, ...metadata } = bill.metadata;
  // npm calls it by the name of the folder it works in.
  const [name] = component["bom-ref"].split(/(?<=.)@/);
  /** @type {Record<string, any>} */
  const content = { ...bill, metadata: { ...metadata, component: { ...component, name } } };
  const digest = createHash("sha256").update(JSON.stringify(content)).digest("hex");
  const { bomFormat, specVersion, $schema, ...rest } = content;
  return { $schema, bomFormat, specVersion, serialNumber: `urn:uuid:${uuidOf(digest)}`, ...rest };
}

/** Version 8 is for whoever makes the bits in a way of their own. */
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
