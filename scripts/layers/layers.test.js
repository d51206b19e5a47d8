import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { importsOf, root, sourceFiles } from "./imports.js";
import { packages, serviceParts } from "./layers.js";
import { unusedArrows, violations, wrongOrder } from "./violations.js";

const service = "packages/service/src";

test("every import of the repository goes the way that the table allows, and every way is used", () => {
  const imports = sourceFiles().flatMap((file) => importsOf(file));
  expect(imports.length).toBeGreaterThan(1_000);
  expect(violations(imports)).toEqual([]);
  expect(unusedArrows(imports)).toEqual([]);
  expect(wrongOrder()).toEqual([]);
});

/** One broken direction each: the file that breaks it, and what it says. */
const probes = [
  {
    title: "the gate knows no capability",
    file: `${service}/gate/gate.ts`,
    text: 'import { toLeadSettings } from "../leads/settings.js";',
    problem: "gate may not use leads",
  },
  {
    title: "a capability does not reach up to the console",
    file: `${service}/records/links.ts`,
    text: 'export { access } from "../console/access.js";',
    problem: "records may not use console",
  },
  {
    title: "the engine knows no HTTP",
    file: `${service}/imports/write/encode.ts`,
    text: 'import type { FastifyReply } from "fastify";',
    problem: "the engine knows no HTTP",
  },
  {
    title: "the engine does not throw answers of HTTP",
    file: `${service}/imports/read/envelope.ts`,
    text: 'import { RequestRefused } from "../../refusals/request-refused.js";',
    problem: "how HTTP answers is decided in refusals/",
  },
  {
    title: "waiting for a turn does not end in an answer of HTTP",
    file: `${service}/scheduling/turns.ts`,
    text: 'import { RequestRefused } from "../refusals/request-refused.js";',
    problem: "how HTTP answers is decided in refusals/",
  },
  {
    title: "judging has no database at hand",
    file: `${service}/imports/judge/resolve.ts`,
    text: 'const pg = await import("pg");',
    problem: "judging is pure",
  },
  {
    title: "a package does not use the service",
    file: "packages/client/src/client.ts",
    text: 'import { buildApp } from "@gatehouse-parking/service";',
    problem: "uses the package service",
  },
  {
    title: "a package is not reached into",
    file: "packages/console/src/app.tsx",
    text: 'import { nowMs } from "../../service/src/core/clock.js";',
    problem: "reaches into",
  },
  {
    title: "a folder that the table does not know",
    file: `${service}/gate/gate.ts`,
    text: 'import { helper } from "../helpers/helper.js";',
    problem: "belongs to no part",
  },
];

for (const { title, file, text, problem } of probes) {
  test(`a probe is found: ${title}`, () => {
    expect(violations(importsOf(file, text))).toEqual([expect.stringContaining(problem)]);
  });
}

test("every file that the page of the architecture names exists, and it draws every part and package", () => {
  const page = readFileSync(path.join(root, "docs/architecture.md"), "utf8");
  const targets = [...page.matchAll(/\]\(([^)#\s]+)/g)].map(([, target = ""]) =>
    path.join(root, "docs", target),
  );
  expect(targets.length).toBeGreaterThan(20);
  expect(targets.filter((target) => !existsSync(target))).toEqual([]);
  for (const name of [...serviceParts.map((part) => part.name), ...Object.keys(packages)])
    expect(page).toContain(name);
});
