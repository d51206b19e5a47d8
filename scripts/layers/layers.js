// Which code may import which; violations.js checks every source file.

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

/**
 * The folders and files of packages/service/src/core, from the bottom up. Each may import the ones before it.
 */
export const coreParts = [
  ...["operator-error.ts", "clock.ts", "version.ts", "uuidv7.ts", "outgoing-request.ts", "entities"],
  ...["config", "config.ts", "logger.ts", "database", "instances.ts", "last-backup.ts", "local-days"],
  ...["paging", "refusals", "telemetry", "scheduling", "json", "downloads", "server", "gate", "operations"],
  ...["audit", "organizations", "locations", "imports", "leads", "records", "stored-tables", "verify"],
  ...["feature.ts", "console", "cli"],
];

/** The feature interface contains only types, so it may refer to every part. */
export const typesOnly = "core/feature.ts";

/** The parts of an import that do not depend on HTTP. */
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
