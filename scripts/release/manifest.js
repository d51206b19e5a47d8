// The package.json that is published: what users need of the one in the checkout, and nothing of how it is made.

/** Of a row of packages.js, its manifest and the contract's, all three as they are in the checkout. */
export function publishedManifest({ entryPoints }, manifest, contract) {
  const { devDependencies: _dev, scripts: _scripts, exports: _all, ...kept } = manifest;
  return {
    ...kept,
    exports: Object.fromEntries(entryPoints.map((name) => [name, builtEntry(manifest.exports[name])])),
    // What the contract needs is wanted by the package around it, so that npm installs it once, in its usual place.
    dependencies: sortedByName({ ...manifest.dependencies, ...contract.dependencies }),
    bundleDependencies: [contract.name],
  };
}

/** The contract inside another package: found there by its name, and wanting nothing by itself. */
export function bundledContract(contract, { contractEntryPoints, hasDeclarations }) {
  const { name, version, description, license, type, sideEffects } = contract;
  const entries = contractEntryPoints.map((address) => {
    const built = builtEntry(contract.exports[address]);
    return [address, hasDeclarations ? built : built.default];
  });
  return {
    name,
    version,
    description,
    license,
    type,
    sideEffects,
    exports: Object.fromEntries(entries),
  };
}

/** Without the condition that leads to sources, which are not published. */
function builtEntry(entry) {
  if (typeof entry === "string") return entry;
  const { source: _source, ...built } = entry;
  return built;
}

function sortedByName(dependencies) {
  return Object.fromEntries(Object.entries(dependencies).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
