import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { maxCountedRuns } from "@gatehouse-parking/contract/console";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { signedIn, type Visitor } from "../../../testing/console.js";
import { useApp, type Tenant } from "../../../testing/harness.js";
import { statementsOf } from "../../../testing/statements.js";
import { effectiveLimits } from "../../app.js";
import { packageVersion } from "../../core/version.js";
import { noteBackup, readLastBackup } from "../../core/last-backup.js";
import { firstIdAt } from "../../core/paging/pages.js";
import { readOrganizationHealth } from "./organization-health.js";
import { HealthRefresh } from "./refresh-health.js";

const gatehouse = useApp();
let operator: Visitor;
let busy: Tenant;
let calm: Tenant;
let runUuid: string;

const transaction = (transactionId: string, more: object = {}) => ({
  transactionId,
  locationUuid: busy.locationUuid,
  type: 1,
  transactionDate: "2026-04-01T14:30:00.000Z",
  amountTotal: 10,
  ...more,
});
const send = (transactions: object[], requestId?: string) =>
  gatehouse.send({
    method: "POST",
    url: "/integrations/transactions",
    key: busy.apiKey,
    headers: { "content-type": "application/json", ...(requestId ? { "x-request-id": requestId } : {}) },
    payload: JSON.stringify({ transactions }),
  });
const list = async (query = "") => (await operator.get(`/installation/organizations${query}`)).json;
const rename = ({ organizationId }: Tenant, name: string) =>
  gatehouse.database.work.query("update organizations set name = $2 where id = $1", [organizationId, name]);
const refresh = () =>
  new HealthRefresh(gatehouse.database.console, effectiveLimits(gatehouse.config)).sweep();
const age = () =>
  gatehouse.database.work.query("update organization_health set looked_at = now() - interval '5 minutes'");

beforeAll(async () => {
  operator = await signedIn(gatehouse, "operator");
  busy = await gatehouse.tenant();
  calm = await gatehouse.tenant();
  await rename(busy, "Zebra Garages");
  await rename(calm, "Able Parking");
  const run = await send([transaction("T-1"), transaction("T-2", { type: 9 }), transaction("T-3")]);
  runUuid = run.json.referenceUuid;
  await send([transaction("T-1", { amountTotal: 99 })], "partner-request-7");
});

test("organizations that need attention come first, with their last import, failures, drift and the time of the check", async () => {
  const { data, totalCount, oldestLook } = await list();
  expect(totalCount).toBe(2);
  expect(data.map(({ name }: { name: string }) => name)).toEqual(["Zebra Garages", "Able Parking"]);
  expect(data[0]).toMatchObject({
    lastRun: { status: 1 },
    day: { runs: 2, records: 4, failed: 1 },
    week: { runs: 2, records: 4, failed: 1 },
    drifted: 1,
    clockWarnings: 0,
  });
  expect(data[1]).toMatchObject({ lastRun: null, attention: 0, day: { runs: 0 } });
  expect(Date.parse(oldestLook)).toBeLessThanOrEqual(Date.parse(data[0].lookedAt));
  const { data: byName } = await list("?sort=name");
  expect(byName[0].name).toBe("Able Parking");
  expect((await list("?query=zebra&sort=failedWeek")).data).toHaveLength(1);
  expect((await list("?page=2&pageSize=1")).data).toHaveLength(1);
});

test("organizations are sorted by the size that the list shows", async () => {
  const { work } = gatehouse.database;
  const setStored = ({ organizationId }: Tenant, bytes: number, hourlyBytes: number) =>
    Promise.all([
      work.query(
        `insert into import_turns (organization_id, records_base, bytes_base) values ($1, 1, $2)
         on conflict (organization_id) do update set records_base = 1, bytes_base = $2, bytes_net = 0`,
        [organizationId, bytes],
      ),
      work.query(
        `insert into organization_upkeep (organization_id, bytes) values ($1, $2)
         on conflict (organization_id) do update set bytes = $2`,
        [organizationId, hourlyBytes],
      ),
    ]);
  await setStored(busy, 1_000, 9_000);
  await setStored(calm, 5_000, 100);
  const { data } = await list("?sort=stored");
  expect(data.map(({ stored }: { stored: { bytes: number } }) => stored.bytes)).toEqual([5_000, 1_000]);
});

test("health figures are cached for a minute, so viewing many organizations runs no new queries", async () => {
  const before = (await list()).data[0].lookedAt;
  await send([transaction("T-4")]);
  const sent = await statementsOf(gatehouse.database.console, () => list());
  expect(sent.some((text) => text.includes("import_runs"))).toBe(false);
  const kept = await list();
  expect(kept.data[0]).toMatchObject({ lookedAt: before, day: { runs: 2 } });
  await age();
  expect((await list()).data[0]).toMatchObject({ day: { runs: 3 } });
});

test("mostly rejected keys and nearly exhausted limits are reported", async () => {
  const { work } = gatehouse.database;
  const { organizationId } = calm;
  const { rows } = await work.query("select id from api_keys where organization_id = $1", [organizationId]);
  await work.query(
    `insert into api_key_usage (organization_id, api_key_id, operation, hour, accepted, limited, refused)
     values ($1, $2, 'importAccounts', date_trunc('hour', now()), 2, 3, 20)`,
    [organizationId, rows[0].id],
  );
  const { requests } = effectiveLimits(gatehouse.config).importAccounts;
  await work.query(
    `insert into rate_limits (bucket, moments, counts, accepted, expires_at)
     values ($1, array[now()], array[$2::int], 1, now() + interval '1 minute')`,
    [`importAccounts:${organizationId}`, Math.ceil(requests * 0.8)],
  );
  await age();
  const [found] = (await list("?query=able")).data;
  expect(found).toMatchObject({
    failingKeys: [{ uuid: rows[0].id, requests: 25, refused: 23 }],
    limitedDay: 3,
    limitsNear: [{ operation: "importAccounts", used: Math.ceil(requests * 0.8), limit: requests }],
  });
  expect(found.attention).toBeGreaterThanOrEqual(35);
});

test("instances share the health checks and take over an abandoned check after a minute", async () => {
  const { work } = gatehouse.database;
  await work.query(
    `insert into organizations (id, name) select gen_random_uuid(), 'Many ' || number from generate_series(1, 60) as number`,
  );
  await age();
  await work.query(
    `insert into organization_health (organization_id, claimed_at)
     select id, now() from organizations where name = 'Many 1'`,
  );
  await Promise.all([refresh(), refresh()]);
  const unseen =
    "select name from organizations join organization_health on organization_id = id where looked_at is null";
  expect((await work.query(unseen)).rows).toEqual([{ name: "Many 1" }]);
  expect((await list()).oldestLook).toBeNull();
  await work.query("update organization_health set claimed_at = now() - interval '2 minutes'");
  await refresh();
  expect((await work.query(unseen)).rows).toEqual([]);
  const byName = (await list("?sort=name&query=many&pageSize=11")).data;
  expect(byName.map(({ name }: { name: string }) => name).slice(8)).toEqual(["Many 9", "Many 10", "Many 11"]);
});

const search = async (q: string) =>
  (await operator.get(`/installation/search?q=${encodeURIComponent(q)}`)).json;

test("imports, requests, keys and organizations are found without knowing their organization", async () => {
  const { work } = gatehouse.database;
  const { organizationId } = busy;
  const { rows } = await work.query("select id, prefix from api_keys where organization_id = $1", [
    organizationId,
  ]);
  const [key] = rows;
  const requestId = randomUUID();
  await work.query(
    `insert into request_log (organization_id, id, api_key_id, operation, status, run_id, request_id)
     values ($1, gen_random_uuid(), $2, 'importTransactions', 200, $3, $4),
            ($1, gen_random_uuid(), $2, 'listLocations', 429, null, 'partner-request-9')`,
    [organizationId, key.id, runUuid, requestId],
  );
  const organization = { uuid: organizationId, name: "Zebra Garages" };
  const found = async (q: string) => (await search(q)).hits;
  expect(await found(runUuid.toUpperCase())).toMatchObject([{ kind: "run", uuid: runUuid, organization }]);
  expect(await found(` ${requestId} `)).toMatchObject([{ kind: "run", uuid: runUuid, organization }]);
  expect(await found("partner-request-9")).toMatchObject([
    { kind: "request", title: "listLocations, 429", organization },
  ]);
  expect(await found(busy.apiKey)).toMatchObject([{ kind: "api-key", uuid: key.id, organization }]);
  expect(await found(key.prefix)).toMatchObject([{ kind: "api-key", uuid: key.id, organization }]);
  expect(await found("zEBra")).toMatchObject([{ kind: "organization", uuid: organizationId }]);
  expect(await found(organizationId)).toMatchObject([{ kind: "organization", uuid: organizationId }]);
  expect(await search("many")).toMatchObject({ truncated: true });
  for (const nothing of ["", "\u0000", randomUUID(), "ghk_", "%"]) expect(await found(nothing)).toEqual([]);
});

test("service health shows the database, the schema, the instances and the queues", async () => {
  const { json } = await operator.get("/installation/service");
  expect(json).toMatchObject({
    version: packageVersion(),
    schema: { state: "current" },
    database: { failedRestarts: 0 },
    instances: [{ isThis: true, version: packageVersion() }],
    certificate: null,
    uploadsWaiting: 0,
    unknownEnds: 0,
  });
  expect(json.database.version).toMatch(/^\d+\.\d+/);
  expect(json.schema.latest).toMatch(/^\d{4}_\w+\.sql$/);
});

test("only operators can see these pages", async () => {
  const admin = await signedIn(gatehouse, "admin", busy.organizationId);
  for (const part of ["organizations", "service", "search?q=zebra"])
    expect((await admin.get(`/installation/${part}`)).json, part).toMatchObject({ code: "roleMissing" });
});

test("the last backup is the one in the note, and an invalid note means that it is unknown", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "gatehouse-note-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  expect(await readLastBackup(folder)).toBeNull();
  const backup = { createdAt: "2026-04-01T02:00:00.000Z", file: "/backups/one.tar.gz", bytes: 1234 };
  // Simulates a folder that the service can write to, and backups that run as root.
  const victim = path.join(folder, "victim");
  await writeFile(victim, "precious");
  await symlink(victim, path.join(folder, "last-backup.json.new"));
  await noteBackup(folder, backup);
  expect(await readFile(victim, "utf8")).toBe("precious");
  expect(await readLastBackup(folder)).toEqual(backup);
  await noteBackup(folder, { ...backup, createdAt: "yesterday" });
  expect(await readLastBackup(folder)).toBeNull();
});

test("a page does not wait for a slow organization, and an organization whose check fails does not always come first", async () => {
  const { work } = gatehouse.database;
  await work.query(
    "update organization_health set looked_at = null, claimed_at = now() - interval '2 minutes'",
  );
  await work.query(
    "update organization_health set looked_at = now() - interval '5 minutes', claimed_at = null where organization_id = $1",
    [busy.organizationId],
  );
  const holder = await work.connect();
  try {
    await holder.query("begin; lock table import_runs in access exclusive mode");
    const limits = effectiveLimits(gatehouse.config);
    await new HealthRefresh(work, limits).beforeView();
    const { rows } = await work.query(
      "select claimed_at is not null as is_claimed from organization_health where organization_id = $1",
      [busy.organizationId],
    );
    expect(rows).toEqual([{ is_claimed: true }]);
  } finally {
    await holder.query("rollback");
    holder.release();
  }
});

test("drift checks read as many imports as the counts and no more", async () => {
  const look = async () =>
    readOrganizationHealth(
      gatehouse.database.console,
      busy.organizationId,
      effectiveLimits(gatehouse.config),
    );
  expect((await look()).drifted).toBe(1);
  await gatehouse.database.work.query(
    `insert into import_runs (
       organization_id, id, resource, status, started_at, completed_at, duration_ms,
       total_submitted, success_count, failed_count, skipped_count
     )
     select $1, (left($2::text, 24) || lpad(to_hex(number), 12, '0'))::uuid, 1, 3, now(), now(), 1, 1, 1, 0, 0
     from generate_series(1, $3::int) as number`,
    [busy.organizationId, firstIdAt(new Date(Date.now() + 1_000)), maxCountedRuns],
  );
  expect((await look()).drifted).toBe(0);
});
