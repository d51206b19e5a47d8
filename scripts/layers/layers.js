// Which part of the code may use which. The picture in docs/architecture.md is drawn from this table, and check.js holds
// the imports of every source file to it.

/**
 * A part is a folder, or the few files that it names. `uses` are the parts that it may import: parts of its own layer or
 * of one below, and all of them before it in the list, so that there can be no circle.
 * @typedef {{ name: string, layer: string, files?: string[], uses: string[] }} Part
 */

/** From the bottom up. */
export const layers = [
  { name: "base", says: "time, settings, the database, entities as they are stored, refusals, telemetry" },
  { name: "tools", says: "who has a turn, how bodies are read, how lists are paged and downloaded" },
  { name: "transport", says: "listening, the gate, what a declared operation is" },
  { name: "capabilities", says: "each holds its SQL and its verbs" },
  { name: "console", says: "sessions, access, and a handler of a line or two for each operation" },
  { name: "entrances", says: "the app and the process, and the command line" },
];

/** @type {Part[]} the parts of packages/service/src */
export const serviceParts = [
  {
    name: "basics",
    layer: "base",
    files: [
      "clock.ts",
      "config.ts",
      "loggable-error.ts",
      "logger.ts",
      "moments.ts",
      "uuidv7.ts",
      "version.ts",
      "config",
    ],
    uses: [],
  },
  { name: "database", layer: "base", uses: ["basics"] },
  { name: "entities", layer: "base", uses: [] },
  { name: "refusals", layer: "base", uses: ["database"] },
  { name: "telemetry", layer: "base", uses: ["basics", "database", "refusals"] },
  { name: "scheduling", layer: "tools", uses: ["refusals", "telemetry"] },
  { name: "json", layer: "tools", uses: ["scheduling"] },
  { name: "paging", layer: "tools", uses: ["database"] },
  { name: "downloads", layer: "tools", uses: ["scheduling"] },
  { name: "server", layer: "transport", uses: ["basics", "database", "refusals", "telemetry"] },
  {
    name: "gate",
    layer: "transport",
    uses: ["basics", "database", "refusals", "scheduling", "server", "telemetry"],
  },
  { name: "operations", layer: "transport", uses: ["refusals", "scheduling", "server"] },
  { name: "audit", layer: "capabilities", uses: ["basics", "database", "paging"] },
  {
    name: "organizations",
    layer: "capabilities",
    uses: ["audit", "basics", "database", "gate", "operations", "refusals"],
  },
  {
    name: "locations",
    layer: "capabilities",
    uses: [
      "audit",
      "basics",
      "database",
      "operations",
      "organizations",
      "refusals",
      "scheduling",
      "telemetry",
    ],
  },
  { name: "local-days", layer: "capabilities", uses: ["database"] },
  {
    name: "imports",
    layer: "capabilities",
    uses: [
      ...["basics", "database", "downloads", "entities", "json", "local-days", "operations", "organizations"],
      ...["paging", "refusals", "scheduling", "telemetry"],
    ],
  },
  {
    name: "receipts",
    layer: "capabilities",
    uses: ["audit", "basics", "database", "imports", "organizations", "refusals", "server", "telemetry"],
  },
  {
    name: "leads",
    layer: "capabilities",
    uses: [
      ...["audit", "basics", "database", "downloads", "json", "operations", "organizations", "paging"],
      ...["refusals", "scheduling", "server", "telemetry"],
    ],
  },
  {
    name: "undo",
    layer: "capabilities",
    uses: ["audit", "basics", "database", "entities", "imports", "local-days", "refusals"],
  },
  {
    name: "retention",
    layer: "capabilities",
    uses: [
      ...["audit", "basics", "database", "entities", "imports", "leads", "local-days", "organizations"],
      ...["paging", "refusals"],
    ],
  },
  {
    name: "records",
    layer: "capabilities",
    uses: [
      ...["database", "entities", "imports", "locations", "organizations", "paging", "refusals"],
      ...["retention", "undo"],
    ],
  },
  {
    name: "mappings",
    layer: "capabilities",
    uses: ["audit", "basics", "database", "refusals"],
  },
  {
    name: "uploads",
    layer: "capabilities",
    uses: [
      ...["audit", "basics", "database", "downloads", "gate", "imports", "locations", "organizations"],
      ...["paging", "refusals", "scheduling", "undo"],
    ],
  },
  {
    name: "saved-views",
    layer: "capabilities",
    uses: ["basics", "database", "refusals"],
  },
  {
    name: "people",
    layer: "capabilities",
    uses: [
      ...[
        "audit",
        "basics",
        "database",
        "entities",
        "imports",
        "leads",
        "organizations",
        "records",
        "refusals",
      ],
      "uploads",
    ],
  },
  { name: "requests", layer: "capabilities", uses: ["basics", "database", "organizations", "paging"] },
  {
    name: "overview",
    layer: "capabilities",
    uses: ["basics", "gate", "imports", "local-days", "locations", "organizations", "paging", "refusals"],
  },
  { name: "search", layer: "capabilities", uses: ["entities", "paging", "records", "retention", "undo"] },
  {
    name: "installation",
    layer: "capabilities",
    uses: ["basics", "database", "gate", "operations", "organizations", "overview", "paging"],
  },
  { name: "backups", layer: "capabilities", uses: ["basics", "database", "installation"] },
  { name: "sandbox", layer: "capabilities", uses: ["basics", "organizations"] },
  {
    name: "demo",
    layer: "capabilities",
    uses: [
      ...["audit", "basics", "database", "imports", "leads", "locations", "organizations", "paging"],
      ...["refusals", "scheduling", "telemetry", "undo", "uploads"],
    ],
  },
  {
    name: "stored-tables",
    layer: "capabilities",
    uses: [
      ...["basics", "database", "entities", "imports", "locations", "mappings", "organizations", "uploads"],
    ],
  },
  {
    name: "verify",
    layer: "capabilities",
    uses: ["basics", "database", "entities", "local-days", "organizations", "stored-tables"],
  },
  {
    name: "exports",
    layer: "capabilities",
    uses: [
      ...[
        "audit",
        "basics",
        "database",
        "organizations",
        "refusals",
        "scheduling",
        "stored-tables",
        "verify",
      ],
    ],
  },
  {
    name: "console",
    layer: "console",
    uses: [
      ...["audit", "basics", "database", "demo", "exports", "imports", "installation", "json", "leads"],
      ...[
        "downloads",
        "locations",
        "mappings",
        "operations",
        "organizations",
        "overview",
        "paging",
        "people",
        "records",
        "refusals",
        "requests",
        "retention",
        "sandbox",
        "saved-views",
        "scheduling",
      ],
      ...["search", "server", "undo", "uploads"],
    ],
  },
  {
    name: "app",
    layer: "entrances",
    files: ["app.ts", "main.ts", "announce.ts", "announcement.ts"],
    uses: [
      ...["backups", "basics", "console", "database", "demo", "gate", "imports", "installation", "leads"],
      ...["locations", "operations", "organizations", "receipts", "refusals", "requests", "retention"],
      ...["scheduling", "server", "telemetry", "uploads"],
    ],
  },
  {
    name: "cli",
    layer: "entrances",
    uses: [
      ...["app", "backups", "basics", "database", "demo", "exports", "imports", "installation", "locations"],
      ...["organizations", "people", "receipts", "records", "retention"],
      ...["refusals", "server", "undo", "verify"],
    ],
  },
];

/**
 * The packages, and which of them each may use.
 * @type {Record<string, string[]>}
 */
export const packages = {
  contract: [],
  "json-text": [],
  "local-postgres": [],
  "record-files": ["contract", "json-text"],
  service: ["contract", "json-text", "local-postgres", "record-files"],
  client: ["contract", "record-files"],
  console: ["contract", "record-files"],
};

/** The files of an import that would be the same if batches did not come over HTTP. */
const engine = [
  ...["attempts", "careful", "failed-runs", "import-batch", "report", "run", "unknown-end"].map(
    (file) => `imports/${file}.ts`,
  ),
  ...["compare", "judge", "look-up", "read", "write"].map((folder) => `imports/${folder}/`),
];

/**
 * Beyond the parts: modules, and files of ours, that some files must not import. Files and folders are those of
 * packages/service/src.
 */
export const mustNotKnow = [
  {
    files: [
      "imports/judge/",
      "imports/look-up/world.ts",
      "imports/look-up/indexes.ts",
      "imports/look-up/wanted.ts",
    ],
    targets: ["pg", "fastify"],
    because: "judging is pure: it has no database at hand",
  },
  {
    files: [...engine, "entities/"],
    targets: ["fastify", "fastify-plugin"],
    because: "the engine knows no HTTP",
  },
  {
    files: [
      "organizations/",
      "people/",
      "records/",
      "overview/",
      "requests/",
      "search/",
      "audit/",
      "verify/",
      "demo/",
      "undo/",
    ],
    targets: ["fastify", "fastify-plugin"],
    because: "a capability offers verbs; who calls them over HTTP is the console's matter",
  },
  {
    files: [
      ...engine,
      "scheduling/",
      "json/",
      ...["attempts", "read-lead", "submit-lead", "store-leads", "store-together"].map(
        (file) => `leads/${file}.ts`,
      ),
    ],
    targets: ["request-refused", "render-error"].map((file) => `refusals/${file}.ts`),
    because: "it throws Refused, which says why; how HTTP answers is decided in refusals/",
  },
];
