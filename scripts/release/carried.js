// The workspaces that a package bundles: its dependencies and theirs.
import { readFileSync } from "node:fs";
import path from "node:path";
import { root } from "../security/repository.js";

/**
 * A package.json, as far as the release reads it.
 * @typedef {Record<string, any> & { name: string, version: string, dependencies?: Record<string, string> }} Manifest
 */

/**
 * @param {string} folder
 * @returns {Manifest}
 */
export function readManifest(folder) {
  return JSON.parse(readFileSync(path.join(root, folder, "package.json"), "utf8"));
}

/** The workspaces that the one in `folder` bundles, as `{ folder, manifest }`, sorted by name. */
export function carriedBy(/** @type {string} */ folder) {
  /** @type {string[]} */
  const places = readManifest("")["workspaces"];
  const workspaces = places.map((place) => ({ folder: place, manifest: readManifest(place) }));
  /** @type {Map<string, { folder: string, manifest: Manifest }>} */
  const found = new Map();
  const open = [readManifest(folder)];
  for (let manifest = open.pop(); manifest; manifest = open.pop()) {
    for (const workspace of workspaces) {
      const { name } = workspace.manifest;
      if (!(name in (manifest.dependencies ?? {})) || found.has(name)) continue;
      found.set(name, workspace);
      open.push(workspace.manifest);
    }
  }
  return [...found.values()].toSorted((one, other) => (one.manifest.name < other.manifest.name ? -1 : 1));
}
