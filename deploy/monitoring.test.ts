import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { obtainProgram } from "../acceptance/rigs/debian-programs.js";
import { listen } from "../packages/service/src/core/server/servers.js";
import { loadOrCreateCertificate } from "../packages/service/src/core/server/tls/certificates.js";
import { useApp } from "../packages/service/testing/harness.js";
import { scrape } from "../packages/service/testing/metric-samples.js";
import { readQuery } from "./testing/promql.js";
import { addRecorded, unknownNames, vocabularyOf, type Vocabulary } from "./testing/vocabulary.js";

interface Rule {
  record?: string;
  alert?: string;
  expr: string;
  annotations?: Record<string, string>;
}

const read = (file: string) => readFileSync(new URL(file, import.meta.url), "utf8");
const { groups } = parse(read("prometheus/rules.yaml")) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(read("grafana/gatehouse.json")) as {
  panels: { id: number; title: string; targets: { expr: string; legendFormat: string }[] }[];
  templating: { list: { name: string; type: string; query: string }[] };
};

const folder = await mkdtemp(path.join(tmpdir(), "gatehouse-monitoring-"));
afterAll(() => rm(folder, { recursive: true, force: true }));
// The service listens, because the metrics include the certificate in use.
const gatehouse = useApp({ limits: { listLocations: { requests: 1, windowSeconds: 60 } } }, async (app) => {
  const certificate = await loadOrCreateCertificate({ dataDirectory: folder });
  await listen(app, { host: "127.0.0.1", httpsPort: 0, httpPort: 0, certificate });
});

let vocabulary: Vocabulary;
beforeAll(async () => {
  const { apiKey } = await gatehouse.tenant();
  const accounts = [{ tpReferenceId: "A-1", name: "Acme" }, { tpReferenceId: "A-1", name: "Acme" }, {}];
  await gatehouse.post("/integrations/accounts", apiKey, { accounts });
  for (let request = 0; request < 2; request += 1)
    await gatehouse.send({ url: "/integrations/locations", key: apiKey });
  vocabulary = vocabularyOf(await scrape(gatehouse.app));
  for (const { record, expr } of rules) if (record) addRecorded(vocabulary, record, readQuery(expr));
});

test("every metric, label and value that a rule names exists", () => {
  expect(rules.length).toBeGreaterThan(10);
  for (const { record, alert, expr } of rules)
    expect(unknownNames(readQuery(expr), vocabulary), record ?? alert).toEqual([]);
});

test("every metric, label and value that the dashboard names exists, and its legends show labels it has", () => {
  expect(dashboard.panels.length).toBeGreaterThan(10);
  for (const { title, targets } of dashboard.panels) {
    for (const { expr, legendFormat } of targets) {
      const query = readQuery(expr.replaceAll("$__rate_interval", "5m"));
      expect(unknownNames(query, vocabulary), title).toEqual([]);
      const shown = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label);
      for (const label of shown) expect([...query.groupingLabels, "instance"], title).toContain(label);
    }
  }
});

test("the dashboard's variables are filled from a metric there is, and all that it uses are declared", () => {
  const { list } = dashboard.templating;
  for (const { query } of list.filter(({ type }) => type === "query")) {
    const [, selector = "", label = ""] = /^label_values\((.+), (\w+)\)$/.exec(query) ?? [];
    expect(unknownNames(readQuery(`count by (${label}) (${selector})`), vocabulary), query).toEqual([]);
  }
  const declared = new Set([...list.map(({ name }) => name), "__rate_interval"]);
  const used = [...JSON.stringify(dashboard).matchAll(/\$\{?(\w+)/g)].map(([, name]) => name);
  for (const name of used) expect(declared).toContain(name);
  const ids = dashboard.panels.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test("every alert says what happened and what to do, and every metric of ours is on the monitoring page", () => {
  for (const { alert, annotations } of rules.filter((rule) => rule.alert))
    expect(Object.keys(annotations ?? {}), alert).toEqual(["summary", "action"]);
  const guide = read("../docs/how-to/monitor.md");
  const ours = [...vocabulary.keys()].filter((name) => name.startsWith("gatehouse_"));
  for (const name of ours) expect(guide).toContain(`\`${name.replace(/_(?:bucket|sum|count)$/, "")}\``);
});

test("the runbook has an entry for every alert, and no others", () => {
  const headings = [...read("../docs/how-to/respond-to-alerts.md").matchAll(/^## (.+)$/gm)].map(
    ([, name]) => name,
  );
  expect(headings).toEqual(rules.flatMap(({ alert }) => alert ?? []));
});

test("the scrape example asks the plain port for the path that metrics are at", () => {
  const { scrape_configs: jobs } = parse(read("prometheus/scrape.yaml"));
  expect(jobs).toMatchObject([{ job_name: "gatehouse", metrics_path: "/metrics" }]);
  for (const target of jobs[0].static_configs[0].targets) expect(target).toMatch(/:8080$/);
});

test("promtool finds nothing wrong with the rules, and they fire when they should, where there is one to ask", async () => {
  // The long form of the rigs gets it from Debian; otherwise the installed one is asked.
  const isInstalled = spawnSync("promtool", ["--version"]).status === 0;
  if (!isInstalled && process.env["RIGS"] !== "long") {
    console.log("promtool is not installed: the rules were read, not tried by Prometheus");
    return;
  }
  const obtained = await obtainProgram("promtool", "prometheus");
  if ("missing" in obtained) {
    console.log(`promtool cannot be had here, so Prometheus did not try the rules: ${obtained.missing}`);
    return;
  }
  onTestFinished(obtained.leave);
  const { command } = obtained.program;
  const cwd = fileURLToPath(new URL("prometheus", import.meta.url));
  for (const words of [
    ["check", "rules", "rules.yaml"],
    ["check", "config", "scrape.yaml"],
    ["test", "rules", "rules.test.yaml"],
  ]) {
    const { status, stdout, stderr } = spawnSync(command, words, { cwd, encoding: "utf8" });
    expect(status, `${words.join(" ")}: ${stdout}${stderr}`).toBe(0);
  }
}, 600_000);

test.each([
  ["rate(gatehouse_absent_total[5m])", "the metric gatehouse_absent_total"],
  ['gatehouse_database_connections{color="red"}', "the label color of gatehouse_database_connections"],
  ['gatehouse_database_connections{state="lost"}', "the value lost of gatehouse_database_connections{state}"],
  ["sum by (key) (gatehouse_records_total)", "the label key to group by"],
])("a query that names what does not exist is noticed: %s", (query, problem) => {
  expect(unknownNames(readQuery(query), vocabulary)).toEqual([problem]);
});

test("what is no PromQL is noticed", () => {
  expect(() => readQuery("rate(gatehouse_records_total[5m]")).toThrow("No PromQL");
});
