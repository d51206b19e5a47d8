// Runs when someone packs or publishes a workspace directly. npm would silently omit the other workspaces and
// the console, which the release script includes.
console.error(
  "A package is packed by `npm run release`, which puts into it what it needs of the others.\n" +
    "Publish what that makes: npm publish dist/release/NAME-VERSION.tgz",
);
process.exitCode = 1;
