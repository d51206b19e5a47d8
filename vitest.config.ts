import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import OneProjectAfterTheOther from "./testing/one-project-after-the-other.js";

// Tests import the workspaces' sources (the "source" condition of their package.json), so no build has to precede them.
const resolve = { conditions: ["source"] };
const ssr = { resolve: { conditions: ["source"], externalConditions: ["source"] } };

/** What a test may take, and what it may wait for: far more than any does, so that a busy machine is no fault. */
const patienceMs = 600_000;
const expectation = { poll: { timeout: 180_000 } };

/** Rigs without a short form, because they need programs that are no part of the project. */
const onlyLong = ["acceptance/rigs/pooler.test.ts", "acceptance/rigs/proxies.test.ts"];
/** What needs a cluster of database servers: where none is named there is nothing to run. See acceptance/README.md. */
const onCluster = process.env["GATEHOUSE_TEST_CLUSTER"] ? [] : ["acceptance/cluster/**"];
/** They share one browser; see packages/service/testing/browser. */
const browserTests = "packages/*/src/**/*.browser.test.ts";

export default defineConfig({
  test: {
    // Part of a test's time is waiting for other processes (half of it where the built product runs), so two more workers
    // than cores; some share a database server.
    maxWorkers: Math.min(availableParallelism() + 2, 6),
    sequence: { sequencer: OneProjectAfterTheOther },
    projects: [
      {
        resolve,
        ssr,
        test: {
          name: "packages",
          // Loading the service takes longer than most files, so a worker keeps it for the next; its modules hold nothing
          // but caches.
          isolate: false,
          setupFiles: ["testing/nothing-left-behind.ts", "packages/service/testing/left-out-on-cluster.ts"],
          expect: expectation,
          include: ["packages/*/{src,testing}/**/*.test.ts", "deploy/**/*.test.ts"],
          exclude: [browserTests],
          globalSetup: ["packages/service/testing/database-server.ts"],
          testTimeout: patienceMs,
          hookTimeout: patienceMs,
        },
      },
      {
        resolve,
        ssr,
        test: {
          name: "browser",
          isolate: false,
          setupFiles: ["testing/nothing-left-behind.ts"],
          expect: expectation,
          include: ["packages/console/e2e/**/*.test.ts", browserTests],
          globalSetup: [
            "packages/service/testing/browser/setup.ts",
            "packages/service/testing/database-server.ts",
            "acceptance/build.ts",
          ],
          testTimeout: patienceMs,
          hookTimeout: patienceMs,
        },
      },
      {
        // The checks that npm test runs, and what the documentation says of the tests.
        test: {
          name: "scripts",
          include: ["scripts/**/*.test.js"],
          globalSetup: ["acceptance/build.ts"],
          testTimeout: patienceMs,
        },
      },
      {
        // The built service as its own process; see acceptance/README.md.
        test: {
          name: "acceptance",
          expect: expectation,
          include: ["acceptance/**/*.test.ts"],
          exclude: [...(process.env["RIGS"] === "long" ? [] : onlyLong), ...onCluster],
          globalSetup: ["acceptance/build.ts", "acceptance/made-database.ts"],
          testTimeout: patienceMs,
          hookTimeout: patienceMs,
        },
      },
    ],
  },
});
