// What runs where: the one table behind `npm test`, `npm run test:full`, `npm run check`, vitest.config.ts and the table in
// CONTRIBUTING.md.

/**
 * @typedef {{ title: string, command: string[], needsBuild?: boolean }} Check
 * @typedef {{ title: string, include: string[], exclude?: string[] }} Project
 * @typedef {{ command: string, checks: Check[], projects: string[] }} Suite
 */

const slowTests = "**/*.slow.test.ts";
const browserTests = ["packages/console/e2e/**/*.test.ts", "packages/*/src/**/*.browser.test.ts"];
const smokeTest = "acceptance/smoke.test.ts";
/** Rigs without a short form, because they need nginx, HAProxy or PgBouncer. */
export const longRigs = ["acceptance/rigs/pooler.test.ts", "acceptance/rigs/proxies.test.ts"];
/** Tests that need a Citus cluster. GATEHOUSE_TEST_CLUSTER names it; see acceptance/README.md. */
export const clusterTests = "acceptance/cluster/**";

/**
 * The vitest projects, by name.
 * @type {Record<string, Project>}
 */
export const projects = {
  smoke: {
    title: "Smoke test: the built product starts, imports, shows the run in a browser and stops",
    include: [smokeTest],
  },
  packages: {
    title: "Unit and integration tests on PostgreSQL",
    include: ["packages/*/{src,testing}/**/*.test.ts", "deploy/**/*.test.ts"],
    exclude: [slowTests, ...browserTests],
  },
  scripts: {
    title: "Tests of the scripts, the documentation and the workflow files",
    include: ["scripts/**/*.test.js"],
  },
  slow: {
    title: "Slow unit and integration tests (`*.slow.test.ts`)",
    include: [`packages/${slowTests}`, `deploy/${slowTests}`],
  },
  browser: {
    title: "Browser tests of the console and of the pages in examples/",
    include: browserTests,
  },
  acceptance: {
    title: "Acceptance tests of the built product, and the rigs in their short form",
    include: ["acceptance/**/*.test.ts"],
    exclude: [smokeTest],
  },
};

/** @type {Check[]} */
const sourceChecks = [
  // The build checks the packages; these read the declarations that it makes of them.
  {
    title: "Types of the packages and tests",
    command: ["tsc", "-p", "tsconfig.check.json"],
    needsBuild: true,
  },
  { title: "Types of the console", command: ["tsc", "-p", "packages/console"], needsBuild: true },
  // It follows imports into the declarations, so half a build would mislead it.
  { title: "Lint", command: ["oxlint", "--deny-warnings"], needsBuild: true },
  { title: "Layers", command: ["node", "scripts/layers/check.js"] },
  { title: "Format", command: ["oxfmt", "--check", "."] },
  { title: "Spelling", command: ["cspell", "lint", "--no-progress", "--no-summary"] },
  {
    title: "Plain English, links and commands in texts",
    command: ["node", "scripts/prose/check.js"],
    needsBuild: true,
  },
  {
    title: "Types of the scripts and benchmarks",
    command: ["tsc", "-p", "tsconfig.scripts.json"],
    needsBuild: true,
  },
];

/** @type {Check[]} */
const repositoryChecks = [
  { title: "Unused files, exports and dependencies", command: ["knip"] },
  { title: "Secrets in tracked files", command: ["node", "scripts/security/secrets.js"], needsBuild: true },
  { title: "OpenAPI rules", command: ["redocly", "lint", "openapi.json"] },
  { title: "Lockfile: sources, hashes, licences", command: ["node", "scripts/security/lockfile.js"] },
  { title: "Versions follow the changelog", command: ["node", "scripts/release/version.js", "--check"] },
  { title: "Patches of the mutants apply", command: ["node", "scripts/mutants.js", "--check"] },
  {
    title: "Regular expressions run in linear time",
    command: ["node", "scripts/security/regular-expressions.js"],
    needsBuild: true,
  },
  {
    title: "Generated file openapi.json",
    command: ["node", "scripts/openapi.js", "--check"],
    needsBuild: true,
  },
  {
    title: "Generated files in examples/",
    command: ["node", "scripts/collections.js", "--check"],
    needsBuild: true,
  },
  {
    title: "Generated file packages/client/src/contract.ts",
    command: ["node", "scripts/client-contract.js", "--check"],
    needsBuild: true,
  },
  { title: "Generated files in docs/", command: ["node", "scripts/docs.js", "--check"], needsBuild: true },
];

/** One of each kind: against COPY, against an earlier run, at a distance, in memory, against a bare route, and by pages. */
const shortBenchmarks = [
  "imports-copy",
  "imports-replay",
  "imports-distant",
  "imports-memory",
  "imports-one",
  "files",
  "locations",
  "console-pages",
];

/**
 * Each command of package.json runs one of them; `test:full` adds to `test` and repeats nothing.
 * @type {{ check: Suite, fast: Suite, full: Suite }}
 */
export const suites = {
  check: { command: "npm run check", checks: sourceChecks, projects: [] },
  fast: {
    command: "npm test",
    checks: [...sourceChecks, ...repositoryChecks],
    projects: ["smoke", "packages", "scripts"],
  },
  full: {
    command: "npm run test:full",
    checks: [
      {
        title: "Lockfile installs for linux x64 and arm64",
        command: ["node", "scripts/platforms/check.js"],
      },
      { title: "Known vulnerabilities in dependencies", command: ["node", "scripts/security/audit.js"] },
      {
        title: "Benchmarks run in their short form, two of them judged by half of their goals",
        command: ["node", "bench/run.js", "--short", ...shortBenchmarks],
        needsBuild: true,
      },
    ],
    projects: ["acceptance", "browser", "slow"],
  },
};

/** What neither suite runs, because it needs hours, a quiet machine or other programs. */
export const elsewhere = [
  { title: "Rigs in their long form, proxies and pooler, mutants", command: "npm run rigs" },
  { title: "Benchmarks, judged against their goals", command: "npm run bench" },
  {
    title: "Tests on a Citus cluster",
    command: "GATEHOUSE_TEST_CLUSTER=FILE npx vitest run acceptance/cluster",
  },
];
