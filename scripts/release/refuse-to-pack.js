// Runs when somebody packs or publishes a workspace as it lies here. npm would leave the others out without a word,
// and the console with it; the release script lays everything out first.
console.error(
  "A package is packed by `npm run release`, which puts into it what it needs of the others.\n" +
    "Publish what that makes: npm publish dist/release/NAME-VERSION.tgz",
);
process.exitCode = 1;
