// The published package.json: what users need, without development settings.

/** The manifest of a row of packages.js and those of the bundled workspaces, as in the checkout. */
export function publishedManifest(
  /** @type {{ entryPoints: any }} */ { entryPoints },
  /** @type {import("./carried.js").Manifest} */ manifest,
  /** @type {import("./carried.js").Manifest[]} */ carried,
) {
  const { devDependencies: _dev, scripts: _scripts, exports: _all, ...kept } = manifest;
  const all = [manifest, ...carried];
  const optional = merged(all.map(({ optionalDependencies }) => optionalDependencies));
  return {
    ...kept,
    exports: Object.fromEntries(
      entryPoints.map((/** @type {string} */ name) => [name, builtEntry(manifest.exports[name])]),
    ),
    // Dependencies of bundled workspaces become dependencies of the package, so that npm installs them once.
    dependencies: merged([
      ...all.map(({ dependencies }) => dependencies),
      Object.fromEntries(
        carried.map((/** @type {{ name: string, version: string }} */ { name, version }) => [name, version]),
      ),
    ]),
    ...(Object.keys(optional).length > 0 ? { optionalDependencies: optional } : {}),
    bundleDependencies: carried.map((/** @type {{ name: string }} */ { name }) => name),
  };
}

/** A bundled workspace, resolved by name and without dependencies. */
export function carriedManifest(
  /** @type {import("./carried.js").Manifest} */ manifest,
  /** @type {boolean} */ hasDeclarations,
) {
  const { name, version, description, license, type, sideEffects } = manifest;
  const main = manifest.exports["."];
  const entries = Object.entries(manifest.exports).map(([place, entry]) => {
    const built = builtEntry(entry);
    return [place, hasDeclarations ? built : built.default];
  });
  return {
    name,
    version,
    description,
    license,
    type,
    sideEffects,
    // For resolvers that ignore exports.
    main: main.default,
    ...(hasDeclarations ? { types: main.types } : {}),
    exports: Object.fromEntries(entries),
  };
}

/** Removes the condition for sources, which are not published. */
function builtEntry(/** @type {any} */ entry) {
  if (typeof entry === "string") return entry;
  const { source: _source, ...built } = entry;
  return built;
}

/** Merges lists of dependencies, sorted by name. */
function merged(/** @type {(Record<string, string> | undefined)[]} */ lists) {
  const entries = Object.entries(Object.assign({}, ...lists));
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
