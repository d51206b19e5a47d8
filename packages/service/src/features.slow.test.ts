import { readdir, readFile } from "node:fs/promises";
import { consoleOperations } from "@gatehouse-parking/contract/console";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { signedIn, visitor } from "../testing/console.js";
import { liftedConsole, sendTo, useApp } from "../testing/harness.js";
import { buildApp } from "./app.js";
import { migrationFolders, readMigrations } from "./core/database/schema/migration-files.js";
import type { Feature } from "./core/feature.js";
import { verifyStoredData } from "./core/verify/verify.js";
import { features } from "./features.js";

const folders = await migrationFolders();
const complete = useApp();
/** Uses a database without any feature's migrations. */
const bare = useApp({}, undefined, folders.slice(0, 1));
const hasMigrations = (name: string) => folders.some(({ href }) => href.includes(`/features/${name}/`));

/** The features except this one and those that require it. */
function without(removed: string): readonly Feature[] {
  const gone = new Set([removed]);
  for (const { name, requires = [] } of features) if (requires.some((one) => gone.has(one))) gone.add(name);
  return features.filter(({ name }) => !gone.has(name));
}

async function buildWith(left: readonly Feature[], gatehouse = complete) {
  const app = await buildApp({
    config: gatehouse.config,
    database: gatehouse.database,
    logger: pino({ level: "silent" }),
    maxEventLoopDelayMs: 0,
    consoleLimits: liftedConsole,
    features: left,
  });
  onTestFinished(() => app.close());
  return app;
}

test("features come after the features that they require", () => {
  const before = new Set<string>();
  for (const { name, requires = [] } of features) {
    expect(requires.filter((required) => !before.has(required))).toEqual([]);
    before.add(name);
  }
});

test("a feature is rejected if a feature that it requires is missing", async () => {
  await expect(buildWith(features.filter(({ name }) => name !== "undo"))).rejects.toThrow(
    "The feature uploads requires the feature undo",
  );
});

for (const { name } of features)
  test(`without ${name} the service imports, accepts leads, lists records, lets users sign in and passes verify`, async () => {
    const left = without(name);
    const gatehouse = hasMigrations(name) ? bare : complete;
    const app = await buildWith(left, gatehouse);
    const tenant = await gatehouse.tenant();
    const { organizationId, apiKey: key, locationUuid } = tenant;
    const send = (method: "GET" | "POST", url: string, payload?: object) =>
      sendTo(app, { method, url, key, ...(payload && { payload }) });

    const subscription = { tpReferenceId: "S-1", accountTPReferenceId: "A-1" };
    const account = { tpReferenceId: "A-1", name: "Acme", contactEmail: "jo@example.com" };
    const transaction = {
      ...{ transactionId: "T-1", locationUuid, type: 1, transactionDate: "2026-03-01T03:30:00Z" },
      ...{ account, subscription, vehicle: { licensePlate: "AB 123" }, amountTotal: 12.5 },
    };
    const failing = { ...transaction, transactionId: "T-2", locationUuid: "nowhere" };
    const run = await send("POST", "/integrations/transactions", { transactions: [transaction, failing] });
    expect(run.json, run.text).toMatchObject({ successCount: 1, failedCount: 1 });
    const replay = await send("POST", "/integrations/transactions", { transactions: [transaction] });
    expect(replay.json).toMatchObject({ skippedCount: 1 });
    const lead = await send("POST", "/lead/submit", { email: "jo@example.com", locationUuid });
    expect(lead.status, lead.text).toBe(200);
    expect((await send("GET", "/integrations/imports")).json).toMatchObject({ totalCount: 2 });
    expect((await send("GET", "/integrations/locations")).json).toMatchObject({ totalCount: 1 });
    const stored = await send("GET", `/integrations/imports/${run.json.referenceUuid}`);
    expect(stored.json).toEqual(run.json);

    const { email, userId, cookie } = await signedIn(gatehouse, "operator");
    const there = { ...gatehouse, send: (request: Parameters<typeof sendTo>[1]) => sendTo(app, request) };
    const operator = visitor(there, email, userId, cookie);
    const page = `/organizations/${organizationId}/runs/${run.json.referenceUuid}`;
    expect((await operator.get(page)).json).toMatchObject({ successCount: 1, failedCount: 1 });
    expect((await operator.get(`/organizations/${organizationId}/leads`)).json.data).toHaveLength(1);

    const report = await verifyStoredData(gatehouse.connectionString, { organizationId, features: left });
    expect(report.checks.filter(({ violations }) => violations > 0)).toEqual([]);
  });

/** Tables from migrations that also create tables of the core. */
const tablesOfFeatures = [
  ...["request_log", "upload_pieces", "upload_queue"],
  ...["organization_health", "person_erasures", "clock_signs"],
];

test("the core does not mention a table of a feature", async () => {
  const ofCore = new Set((await readMigrations(folders.slice(0, 1))).map(({ name }) => name));
  const migrations = (await readMigrations()).filter(({ name }) => !ofCore.has(name));
  const made = migrations.flatMap(({ sql }) =>
    [...sql.matchAll(/^create table (\w+)/gm)].map(([, name]) => name),
  );
  const stored = await Promise.all(features.map(({ storedTables }) => storedTables?.() ?? []));
  const tables = new Set([...made, ...stored.flat().map(({ table }) => table), ...tablesOfFeatures]);
  expect(tables).toContain("receipt_keys");
  const core = new URL("core/", import.meta.url);
  const files = (await readdir(core, { recursive: true })).filter(
    (file) => file.endsWith(".ts") && !file.endsWith(".test.ts"),
  );
  const named = files.map(async (file) => {
    const text = await readFile(new URL(file, core), "utf8");
    const statements = [...text.matchAll(/\b(?:from|join|into|update|table:) "?(\w+)/g)];
    return statements.flatMap(([, name]) => (tables.has(name) ? [`${file}: ${name}`] : []));
  });
  expect((await Promise.all(named)).flat()).toEqual([]);
});

test("every operation of the console belongs to the core or to one feature", async () => {
  const everything = await buildWith(features);
  const paths = Object.values(consoleOperations).map(({ method, path }) => ({ method, url: path }));
  expect(paths.filter((route) => !everything.hasRoute(route))).toEqual([]);
  const core = await buildWith([]);
  const added = paths.filter((route) => !core.hasRoute(route));
  expect(added.length).toBeGreaterThan(30);
});
