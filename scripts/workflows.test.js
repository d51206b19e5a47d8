import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } from "@actions/workflow-parser";
import { benchmarks } from "../bench/benchmarks.js";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { root } from "./security/repository.js";

/**
 * @typedef {{ uses?: string, run?: string, if?: string, with?: Record<string, unknown> }} Step
 * @typedef {{ "runs-on": string, "timeout-minutes"?: number, strategy?: { matrix: Record<string, unknown[]> }, steps: Step[] }} Job
 * @typedef {{ on: Record<string, unknown>, permissions?: unknown, jobs: Record<string, Job> }} Workflow
 */

const folder = path.join(root, ".github/workflows");
/** @param {string} name */
const read = (name) => readFileSync(path.join(folder, name), "utf8");
const workflows = readdirSync(folder).map((name) => {
  /** @type {Workflow} */
  const document = parse(read(name));
  return { name, document, jobs: Object.entries(document.jobs) };
});
const steps = workflows.flatMap(({ name, jobs }) =>
  jobs.flatMap(([, job]) => job.steps.map((step) => ({ name, step }))),
);

/**
 * What GitHub's own parser says against a workflow.
 * @param {string} name
 * @param {string} content
 */
async function problemsOf(name, content) {
  const { context, value } = parseWorkflow({ name, content }, new NoOperationTraceWriter());
  if (value) await convertWorkflowTemplate(context, value);
  return context.errors.getErrors().map(({ message }) => message);
}

test.each(workflows.map(({ name }) => name))("%s is a valid workflow", async (name) => {
  expect(await problemsOf(name, read(name))).toEqual([]);
});

test.each([
  ["an unknown key", "timeout-minutes: 20", "timeout-minute: 20"],
  ["a dependency on a missing job", "timeout-minutes: 20", "needs: missing"],
  ["an expression that does not parse", "${{ matrix.node }}", "${{ matrix.node"],
])("%s is found", async (_title, right, wrong) => {
  const fast = read("fast.yml");
  expect(fast).toContain(right);
  expect(await problemsOf("fast.yml", fast.replace(right, wrong))).not.toEqual([]);
});

test("every job has a time limit, and every workflow starts without rights to write", () => {
  for (const { name, document, jobs } of workflows) {
    expect(document.permissions, name).toEqual({ contents: "read" });
    expect(
      jobs.filter(([, job]) => !job["timeout-minutes"]),
      name,
    ).toEqual([]);
  }
});

test("every action is pinned by its major version", () => {
  const used = steps.flatMap(({ step }) => step.uses ?? []);
  expect(used.length).toBeGreaterThan(10);
  expect(used.filter((action) => !/^[\w-]+\/[\w-]+@v\d+$/.test(action))).toEqual([]);
});

test("every npm script that a workflow calls exists", () => {
  /** @type {{ scripts: Record<string, string> }} */
  const { scripts } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  const called = steps.flatMap(({ step }) =>
    [...(step.run ?? "").matchAll(/\bnpm run ([\w:]+)/g)].map(([, name]) => name ?? ""),
  );
  expect(called.length).toBeGreaterThan(3);
  expect(called.filter((name) => !(name in scripts))).toEqual([]);
});

/** @param {string} name */
const commandsOf = (name) => steps.flatMap((each) => (each.name === name ? (each.step.run ?? []) : []));

test("each suite runs where CONTRIBUTING.md says, on the supported releases of Node and processors", () => {
  const fast = workflows.find(({ name }) => name === "fast.yml");
  expect(fast?.document.on).toHaveProperty("push");
  expect(fast?.document.jobs["test"]?.strategy?.matrix).toEqual({
    node: [20, 22, 24],
    runner: ["ubuntu-24.04", "ubuntu-24.04-arm"],
  });
  const installBrowser = expect.stringContaining("CHROMIUM_PATH=");
  expect(commandsOf("fast.yml")).toEqual(["npm ci", installBrowser, "npm test"]);
  expect(commandsOf("full.yml")).toEqual(["npm ci", installBrowser, "npm run test:full"]);
  expect(commandsOf("nightly.yml").join("\n")).toMatch(/npm run rigs[^]*npm run bench/);
  expect(commandsOf("release.yml").join("\n")).toMatch(/npm test[^]*npm run test:full[^]*npm run release/);
  const page = readFileSync(path.join(root, "CONTRIBUTING.md"), "utf8");
  expect(workflows.filter(({ name }) => !page.includes(`\`${name}\``))).toEqual([]);
});

/**
 * The steps of a job that use this action, whatever its version.
 * @param {string} workflow
 * @param {string} job
 * @param {string} action
 */
function using(workflow, job, action) {
  const found = workflows.find(({ name }) => name === workflow)?.document.jobs[job]?.steps ?? [];
  return found.filter((step) => step.uses?.startsWith(`${action}@`));
}

test("the nightly run measures every benchmark that has a goal, or says why not", () => {
  const named = commandsOf("nightly.yml").flatMap((command) =>
    (command.split("npm run bench -- ")[1] ?? "").split(/\s+/).filter(Boolean),
  );
  const explained = [...read("nightly.yml").matchAll(/# ([\w-]+) stores /g)].map(([, name]) => name);
  expect([...named, ...explained].toSorted()).toEqual(Object.keys(benchmarks).toSorted());
});

test("the nightly run installs what no short form needs, and keeps what it found", () => {
  const installed = commandsOf("nightly.yml")
    .filter((command) => command.includes("apt-get install "))
    .flatMap((command) => command.split(/\s+/));
  expect(installed).toEqual(expect.arrayContaining(["nginx", "haproxy", "pgbouncer"]));
  for (const [job, folder] of [
    ["rigs", "rig-histories"],
    ["benchmarks", "bench/results"],
  ])
    expect(using("nightly.yml", job ?? "", "actions/upload-artifact"), job).toEqual([
      expect.objectContaining({
        if: "always()",
        with: expect.objectContaining({ path: expect.stringContaining(folder ?? "") }),
      }),
    ]);
});

test("a release has packages, checksums, bills of materials, provenance and an image", () => {
  // acceptance/installed looks into what this makes.
  const script = readFileSync(path.join(root, "scripts/release/release.js"), "utf8");
  for (const part of ['"pack"', ".cdx.json", "SHA256SUMS"]) expect(script).toContain(part);
  expect(using("release.yml", "packages", "actions/attest-build-provenance")).toEqual([
    expect.objectContaining({ with: { "subject-path": "dist/release/*" } }),
  ]);
  expect(commandsOf("release.yml").join("\n")).toMatch(
    /npm run release\n[^]*gh release create .* dist\/release\/\*/,
  );
  expect(using("release.yml", "image", "docker/build-push-action")).toEqual([
    expect.objectContaining({
      with: expect.objectContaining({
        platforms: "linux/amd64,linux/arm64",
        push: true,
        sbom: true,
        provenance: "mode=max",
      }),
    }),
  ]);
  expect(using("release.yml", "image", "actions/attest-build-provenance")).toEqual([
    expect.objectContaining({ with: expect.objectContaining({ "push-to-registry": true }) }),
  ]);
});

test("the other files of .github are well-formed, and name folders that exist", () => {
  for (const file of [
    "dependabot.yml",
    ...readdirSync(path.join(root, ".github/ISSUE_TEMPLATE")).map((name) => `ISSUE_TEMPLATE/${name}`),
  ])
    expect(parse(readFileSync(path.join(root, ".github", file), "utf8")), file).toBeInstanceOf(Object);
  const owned = readFileSync(path.join(root, ".github/CODEOWNERS"), "utf8").match(/^\/\S+/gm) ?? [];
  expect(owned.length).toBeGreaterThan(5);
  expect(owned.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
});
