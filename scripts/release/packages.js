// What is published. The other workspaces are not published by themselves: they only make sense in the release that they
// were built with, and travel inside; see docs/decisions/0017-publish-two-packages.md.

/**
 * @typedef {{
 *   folder: string, kind: string, entryPoints: string[], leftOut: Record<string, string[]>, hasDeclarations: boolean,
 *   copied: Record<string, string>, contains: string[],
 * }} PublishedPackage
 * @type {PublishedPackage[]}
 */
export const publishedPackages = [
  {
    folder: "packages/service",
    kind: "application",
    /** Of its exports, those that others may use: a command has none but its manifest. */
    entryPoints: ["./package.json"],
    /** Of the exports of what it carries, those that it does not use. */
    leftOut: {},
    /** Nobody compiles against a command. */
    hasDeclarations: false,
    /** Folders that are taken as they are, by their place in the package. */
    copied: {
      bin: "packages/service/bin",
      migrations: "packages/service/migrations",
      pages: "packages/service/pages",
      // What the service shows beside its reference.
      "docs/how-to": "docs/how-to",
      "docs/reference": "docs/reference",
      "docs/tutorials": "docs/tutorials",
      "examples/java": "examples/java",
      "examples/python": "examples/python",
      "examples/shell": "examples/shell",
      "examples/typescript": "examples/typescript",
      console: "packages/console/dist",
    },
    /** Whose dependencies are inside what is copied, so that the bill of materials names them too. */
    contains: ["packages/console"],
  },
  {
    folder: "packages/client",
    kind: "library",
    entryPoints: [".", "./package.json"],
    leftOut: { "@gatehouse-parking/contract": ["./console"] },
    hasDeclarations: true,
    copied: { bin: "packages/client/bin" },
    contains: [],
  },
];
