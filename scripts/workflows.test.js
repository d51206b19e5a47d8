import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } from "@actions/workflow-parser";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { root } from "./security/repository.js";

/**
 * @typedef {{ uses?: string, run?: string }} Step
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
  ["a need that no job answers", "timeout-minutes: 20", "needs: nobody"],
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
  expect(commandsOf("fast.yml")).toEqual(["npm ci", "npm test"]);
  expect(commandsOf("full.yml")).toEqual(["npm ci", "npm run test:full"]);
  expect(commandsOf("nightly.yml").join("\n")).toMatch(/npm run rigs[^]*npm run bench/);
  expect(commandsOf("release.yml").join("\n")).toMatch(/npm test[^]*npm run test:full[^]*npm run release/);
  const page = readFileSync(path.join(root, "CONTRIBUTING.md"), "utf8");
  expect(workflows.filter(({ name }) => !page.includes(`\`${name}\``))).toEqual([]);
});

test("the benchmarks that the nightly run names exist", () => {
  const named = commandsOf("nightly.yml").flatMap(
    (command) => command.split("npm run bench -- ")[1]?.split(" ") ?? [],
  );
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter((name) => !existsSync(path.join(root, "bench", `${name}.js`)))).toEqual([]);
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
