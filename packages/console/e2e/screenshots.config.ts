import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** The screenshots of the documentation use the setup of the browser tests. */
export default defineConfig({
  root: fileURLToPath(new URL("../../..", import.meta.url)),
  resolve: { conditions: ["source"] },
  ssr: { resolve: { conditions: ["source"], externalConditions: ["source"] } },
  test: {
    include: ["packages/console/e2e/screenshots.ts"],
    globalSetup: [
      "packages/service/testing/browser/setup.ts",
      "packages/service/testing/database-server.ts",
      "acceptance/build.ts",
    ],
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 240_000,
    hookTimeout: 120_000,
  },
});
