import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { clusterTests, longRigs, projects } from "./scripts/suite/suites.js";
import OneProjectAfterTheOther from "./testing/one-project-after-the-other.js";

// Tests import the sources of the workspaces (the "source" condition in package.json), so they need no build.
const source = { resolve: { conditions: ["source"], externalConditions: ["source"] } };
/** The last environment is the one in which vitest runs the files of globalSetup. */
const fromSources = {
  resolve: { conditions: ["source"] },
  ssr: source,
  environments: { __vitest__: source },
};

/** Far more than any test takes, so that a busy machine does not fail it. */
const timeoutMs = 600_000;
const expectation = { poll: { timeout: 180_000 } };

const isLong = process.env["RIGS"] === "long";
const hasCluster = Boolean(process.env["GATEHOUSE_TEST_CLUSTER"]);
/** What cannot run here. */
const leftOut = [...(isLong ? [] : longRigs), ...(hasCluster ? [] : [clusterTests])];

const testServer = "packages/service/testing/database-server.ts";
const browser = "packages/service/testing/browser/setup.ts";
const build = "acceptance/build.ts";

/** What all projects have in common. The files of a project are in scripts/suite/suites.js. */
function named(name: string) {
  const { include = [], exclude = [] } = projects[name] ?? {};
  return {
    name,
    include,
    exclude: [...exclude, ...leftOut],
    expect: expectation,
    testTimeout: timeoutMs,
    hookTimeout: timeoutMs,
  };
}

/**
 * Tests that import the service. Loading it takes longer than most files, so a worker keeps it for the next file; its
 * modules hold nothing but caches.
 */
const inProcess = {
  isolate: false,
  setupFiles: [
    "testing/processor-time.ts",
    "testing/nothing-left-behind.ts",
    "packages/service/testing/left-out-on-cluster.ts",
  ],
};

export default defineConfig({
  test: {
    // The projects of a run, and later runs, share what was transformed.
    experimental: { fsModuleCache: true },
    // Tests spend part of their time waiting for other processes, so there are two more workers than cores.
    maxWorkers: Math.min(availableParallelism() + 2, 6),
    sequence: { sequencer: OneProjectAfterTheOther },
    projects: [
      { ...fromSources, test: { ...named("packages"), ...inProcess, globalSetup: [testServer] } },
      { ...fromSources, test: { ...named("slow"), ...inProcess, globalSetup: [testServer] } },
      {
        ...fromSources,
        test: { ...named("browser"), ...inProcess, globalSetup: [browser, testServer, build] },
      },
      {
        // The parser of workflows comes without the sources that its source maps name.
        logLevel: "error",
        test: {
          ...named("scripts"),
          setupFiles: ["testing/processor-time.ts"],
          globalSetup: [build],
          // It imports JSON in a way that Vite knows and Node 20 does not.
          server: { deps: { inline: ["@actions/workflow-parser"] } },
        },
      },
      // The built service as a process; see acceptance/README.md.
      { test: { ...named("smoke"), globalSetup: [build, browser] } },
      { test: { ...named("acceptance"), globalSetup: [build, "acceptance/made-database.ts"] } },
    ],
  },
});
