import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { importsOf, root, sourceFiles } from "./imports.js";
import { coreParts, packages } from "./layers.js";
import { violations } from "./violations.js";

const service = "packages/service/src";
const core = `${service}/core`;

test("the table allows every import of the repository", () => {
  const imports = sourceFiles().flatMap((file) => importsOf(file));
  expect(imports.length).toBeGreaterThan(1_000);
  expect(violations(imports)).toEqual([]);
});

/** Each breaks one rule: the importing file and the expected report. */
const probes = [
  {
    title: "the core imports no feature",
    file: `${core}/imports/import-batch.ts`,
    text: 'const { undo } = await import("../../features/undo/feature.js");',
    problem: "the core imports nothing from outside of it",
  },
  {
    title: "the core imports no list of features",
    file: `${core}/cli/with-database.ts`,
    text: 'import { features } from "../../features.js";',
    problem: "the core imports nothing from outside of it",
  },
  {
    title: "a feature imports no feature that it does not require",
    file: `${service}/features/search/search.ts`,
    text: 'import { undoRun } from "../undo/undo-run.js";',
    problem: "the feature search does not require undo",
  },
  {
    title: "the feature interface imports only types",
    file: `${core}/feature.ts`,
    text: 'import { createDefineExport } from "./console/define-export.js";',
    problem: "imports more than the type",
  },
  {
    title: "the gate uses only lower parts",
    file: `${core}/gate/gate.ts`,
    text: 'import { toLeadSettings } from "../leads/settings.js";',
    problem: "gate may not use leads",
  },
  {
    title: "the import engine does not depend on HTTP",
    file: `${core}/imports/write/encode.ts`,
    text: 'import type { FastifyReply } from "fastify";',
    problem: "only handlers know HTTP",
  },
  {
    title: "the import engine does not throw HTTP responses",
    file: `${core}/imports/read/envelope.ts`,
    text: 'import { renderError } from "../../refusals/render-error.js";',
    problem: "how HTTP answers is decided in core/refusals/",
  },
  {
    title: "records are checked without a database",
    file: `${core}/imports/judge/judge-record.ts`,
    text: 'const pg = await import("pg");',
    problem: "without a database at hand",
  },
  {
    title: "a package does not use the service",
    file: "packages/client/src/client.ts",
    text: 'import { buildApp } from "@gatehouse-parking/service";',
    problem: "uses the package service",
  },
  {
    title: "a package does not import files of another package",
    file: "packages/console/src/app.tsx",
    text: 'import { nowMs } from "../../service/src/core/clock.js";',
    problem: "reaches into",
  },
  {
    title: "the console's core imports no feature",
    file: "packages/console/src/core/shell/routes.tsx",
    text: 'const Overview = lazy(() => import("../../features/overview/overview-page.js"));',
    problem: "only features.ts may import a feature",
  },
  {
    title: "the console's core does not import the list of features",
    file: "packages/console/src/core/shell/layout.tsx",
    text: 'import { features } from "../../features.js";',
    problem: "only signed-in-app.tsx may",
  },
  {
    title: "a feature of the console imports no other",
    file: "packages/console/src/features/uploads/upload-page.tsx",
    text: 'import { UndoButton } from "../undo/undo.js";',
    problem: "only features.ts may import a feature",
  },
  {
    title: "a folder that the table does not list",
    file: `${core}/gate/gate.ts`,
    text: 'import { helper } from "../helpers/helper.js";',
    problem: "gate may not use helpers",
  },
];

for (const { title, file, text, problem } of probes) {
  test(`a violation is found: ${title}`, () => {
    expect(violations(importsOf(file, text))).toEqual([expect.stringContaining(problem)]);
  });
}

test("the architecture page names every part, feature and package, and every file that it links to exists", () => {
  const page = readFileSync(path.join(root, "docs/architecture.md"), "utf8");
  const targets = [...page.matchAll(/\]\(([^)#\s]+)/g)].map(([, target = ""]) =>
    path.join(root, "docs", target),
  );
  expect(targets.length).toBeGreaterThan(20);
  expect(targets.filter((target) => !existsSync(target))).toEqual([]);
  const folders = coreParts.filter((part) => !part.endsWith(".ts"));
  const features = readdirSync(path.join(root, service, "features"));
  for (const name of [...folders, ...features, ...Object.keys(packages)]) expect(page).toContain(name);
});
