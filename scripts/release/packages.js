// The published packages. Other workspaces work only with the release that they were built with, so they are
// bundled; see docs/decisions/0017-publish-two-packages.md.

/**
 * @typedef {{
 *   folder: string, kind: string, entryPoints: string[], hasDeclarations: boolean,
 *   copied: Record<string, string>, contains: string[],
 * }} PublishedPackage
 * @type {PublishedPackage[]}
 */
export const publishedPackages = [
  {
    folder: "packages/service",
    kind: "application",
    /** The exports for users: a command exports only its manifest. */
    entryPoints: ["./package.json"],
    /** A command has no declarations. */
    hasDeclarations: false,
    /** Folders that are copied, by their path in the package. */
    copied: {
      bin: "packages/service/bin",
      migrations: "packages/service/migrations",
      pages: "packages/service/pages",
      // Shown by the service next to its reference.
      "docs/how-to": "docs/how-to",
      "docs/reference": "docs/reference",
      "docs/tutorials": "docs/tutorials",
      "examples/java": "examples/java",
      "examples/python": "examples/python",
      "examples/shell": "examples/shell",
      "examples/typescript": "examples/typescript",
      console: "packages/console/dist",
    },
    /** Workspaces whose dependencies are inside copied files, so that the bill of materials includes them. */
    contains: ["packages/console"],
  },
  {
    folder: "packages/client",
    kind: "library",
    entryPoints: [".", "./package.json"],
    hasDeclarations: true,
    copied: { bin: "packages/client/bin" },
    contains: [],
  },
];
