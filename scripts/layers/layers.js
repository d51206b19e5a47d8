// Which code may import which. violations.js holds the imports of every source file to it.

/** What each package may use of the others. @type {Record<string, string[]>} */
export const packages = {
  contract: [],
  "json-text": [],
  "local-postgres": [],
  "record-files": ["contract", "json-text"],
  service: ["contract", "json-text", "local-postgres", "record-files"],
  client: ["contract", "record-files"],
  console: ["contract", "record-files"],
};

/** The folders and files of packages/service/src/core, from the bottom up: each may import those before it. */
export const coreParts = [
  ...["operator-error.ts", "clock.ts", "version.ts", "uuidv7.ts", "outgoing-request.ts", "entities"],
  ...["config", "config.ts", "logger.ts", "database", "instances.ts", "last-backup.ts", "local-days"],
  ...["paging", "refusals", "telemetry", "scheduling", "json", "downloads", "server", "gate", "operations"],
  ...["audit", "organizations", "locations", "imports", "leads", "records", "stored-tables", "verify"],
  ...["feature.ts", "console", "cli"],
];

/** The interface of features only names types, so it may name those of every part. */
export const typesOnly = "core/feature.ts";

/** The files of an import that would be the same if batches did not come over HTTP. */
const engine = [
  ...[
    "bisect-batch",
    "commit-outcome",
    "failed-runs",
    "import-batch",
    "observe",
    "report",
    "retry-transaction",
    "run",
  ].map((file) => `core/imports/${file}.ts`),
  ...["judge", "look-up", "read", "write"].map((folder) => `core/imports/${folder}/`),
];

/** Modules, and files of ours, that some files of packages/service/src must not import. */
export const forbidden = [
  {
    files: ["judge/", "look-up/lookup-result.ts", "look-up/indexes.ts"].map((file) => `core/imports/${file}`),
    targets: ["pg", "fastify"],
    because: "records are judged without a database at hand",
  },
  {
    files: [
      ...engine,
      ...["entities", "organizations", "records", "audit", "verify"].map((part) => `core/${part}/`),
    ],
    targets: ["fastify", "fastify-plugin"],
    because: "only handlers know HTTP",
  },
  {
    files: [...engine, "core/scheduling/", "core/json/"],
    targets: ["core/refusals/render-error.ts"],
    because: "it throws Refused; how HTTP answers is decided in core/refusals/",
  },
];
