// Which workspaces travel inside a package: those that it needs, and those that they need in turn.
import { readFileSync } from "node:fs";
import path from "node:path";
import { root } from "../security/repository.js";

export function readManifest(folder) {
  return JSON.parse(readFileSync(path.join(root, folder, "package.json"), "utf8"));
}

/** The workspaces that the one in `folder` carries, as `{ folder, manifest }`, in the order of their names. */
export function carriedBy(folder) {
  const workspaces = readManifest("").workspaces.map((place) => ({
    folder: place,
    manifest: readManifest(place),
  }));
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
