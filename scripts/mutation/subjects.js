// What is mutated, and the tests that have to notice. A mutant is tried with those of them that reach it.
import { readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));
const imports = "packages/service/src/imports";
const gate = "packages/service/src/gate";

function filesOf(folder) {
  return readdirSync(path.join(root, folder), { encoding: "utf8", recursive: true })
    .filter((file) => file.endsWith(".ts"))
    .toSorted();
}

/** Tests that take longest or measure; what they hold is held by the rigs. */
const notForMutants = ["body-cost", "counting-loop", "model", "set-based"];

export const subjects = [
  {
    name: "checkers",
    files: ["check-record", "decimal", "formats", "named-formats"].map(
      (file) => `packages/contract/src/checking/${file}.ts`,
    ),
    tests: [
      "packages/contract/src/checking/check-form.test.ts",
      "packages/contract/src/checking/check-record.test.ts",
      "packages/contract/src/checking/decimal.test.ts",
      "packages/contract/src/checking/formats.test.ts",
      `${imports}/values.test.ts`,
      `${imports}/amounts.test.ts`,
      `${imports}/timestamps-and-zones.test.ts`,
      `${imports}/differences.test.ts`,
    ],
  },
  {
    name: "gate",
    files: ["gate", "rate-limits", "remembered-callers", "admission"].map((file) => `${gate}/${file}.ts`),
    tests: [
      ...[
        "gate",
        "gate-limits",
        "gate-refusals",
        "gate-statement",
        "key-usage",
        "limit-memory",
        "rate-limits",
        "sliding-windows",
      ].map((file) => `${gate}/${file}.test.ts`),
      "packages/service/src/refusals/render-error.test.ts",
      "packages/service/src/scheduling/ask-in-groups.test.ts",
      "packages/service/src/leads/lead-keys.test.ts",
      "packages/service/src/leads/lead-limit.test.ts",
      "packages/service/src/uploads/work/await-limit.test.ts",
      "packages/service/src/telemetry/otlp/traces.test.ts",
    ],
  },
  {
    name: "engine",
    // Not how past runs are shown, which is the console's.
    files: filesOf(imports)
      .filter((file) => !file.endsWith(".test.ts") && !file.startsWith("history"))
      .map((file) => `${imports}/${file}`),
    tests: [
      ...filesOf(imports)
        .filter(
          (file) => file.endsWith(".test.ts") && !notForMutants.includes(path.basename(file, ".test.ts")),
        )
        .map((file) => `${imports}/${file}`),
      "packages/service/src/console/handlers/runs.test.ts",
      "packages/service/src/overview/clock-warnings.test.ts",
      "packages/service/src/retention/records.test.ts",
      "packages/service/src/retention/upkeep.test.ts",
      "packages/service/src/uploads/uploads.test.ts",
    ],
  },
];
