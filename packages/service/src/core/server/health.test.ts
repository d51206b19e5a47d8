import { expect, onTestFinished, test, vi } from "vitest";
import { useApp } from "../../../testing/harness.js";

const gatehouse = useApp();

/** Answers are cached for a second, so changes appear after that. */
const readiness = () => gatehouse.send({ url: "/readyz" });

test("/livez answers while the process runs", async () => {
  const answer = await gatehouse.send({ url: "/livez" });
  expect(answer).toMatchObject({ status: 200, json: { status: "ok" } });
});

test("/readyz says whether the service can work, and otherwise why not", async () => {
  await expect.poll(readiness).toMatchObject({ status: 200, json: { status: "ready" } });
  const pool = gatehouse.database.work;
  await pool.query("create table aside as table schema_migrations");
  await pool.query(
    "delete from schema_migrations where number = (select max(number) from schema_migrations)",
  );
  await expect.poll(readiness).toMatchObject({
    status: 503,
    headers: { "retry-after": "5" },
    json: { status: "not ready", reason: "the database is not migrated" },
  });
  await pool.query("alter table schema_migrations rename to elsewhere");
  await expect.poll(readiness).toMatchObject({ json: { reason: "the database is not migrated" } });
  await pool.query("alter table elsewhere rename to schema_migrations");
  await pool.query("insert into schema_migrations select * from aside on conflict do nothing");
  await expect.poll(readiness).toMatchObject({ status: 200 });
});

test("/readyz stays ready on a newer release's schema until that release no longer supports this one", async () => {
  const pool = gatehouse.database.work;
  const addMigration = (number: number, minimumRelease: string | null) =>
    pool.query(
      "insert into applied_migrations (number, name, checksum, minimum_release, applied_by) values ($1, $2, '', $3, '99.0.0')",
      [number, `${number}_later.sql`, minimumRelease],
    );
  await addMigration(9_998, null);
  await expect.poll(readiness).toMatchObject({ status: 200 });
  await addMigration(9_999, "99.0.0");
  await expect.poll(readiness).toMatchObject({
    status: 503,
    json: { reason: expect.stringContaining("releases before 99.0.0 cannot work on") },
  });
  await pool.query("delete from applied_migrations where number > 9000");
  await expect.poll(readiness).toMatchObject({ status: 200 });
});

test("concurrent /readyz requests cause one query, and a draining instance answers 503 at once", async () => {
  const asked = vi.spyOn(gatehouse.database.gate, "query");
  onTestFinished(() => asked.mockRestore());
  await expect.poll(readiness).toSatisfy(() => asked.mock.calls.length > 0);
  const before = asked.mock.calls.length;
  const answers = await Promise.all(Array.from({ length: 50 }, () => gatehouse.send({ url: "/readyz" })));
  expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
  // On a slow machine the cache may expire, and then two queries are possible.
  expect(asked.mock.calls.length).toBeLessThanOrEqual(2 * before);

  gatehouse.app.readiness.obstacle = "shutting down";
  onTestFinished(() => void (gatehouse.app.readiness.obstacle = undefined));
  expect(await gatehouse.send({ url: "/readyz" })).toMatchObject({
    status: 503,
    json: { reason: "shutting down" },
  });
});

test("probes and metrics need no key and have no rate limit", async () => {
  for (let probe = 0; probe < 20; probe += 1)
    for (const url of ["/livez", "/readyz"]) expect((await gatehouse.send({ url })).status).toBe(200);
});

const metrics = async () => (await gatehouse.app.inject({ url: "/metrics" })).body;
const valueOf = (text: string, sample: string) => {
  const line = text.split("\n").find((candidate) => candidate.startsWith(`${sample} `));
  return line === undefined ? 0 : Number(line.slice(sample.length + 1));
};

test("/metrics counts requests by operation and status, their durations, and records by outcome", async () => {
  const { apiKey, organizationId } = await gatehouse.tenant();
  const before = await metrics();
  const increase = async (sample: string) => valueOf(await metrics(), sample) - valueOf(before, sample);
  for (const url of ["/integrations/locations", "/integrations/locations", "/absent"])
    await gatehouse.send({ url, key: apiKey });
  await gatehouse.post("/integrations/accounts", apiKey, {
    accounts: [{ tpReferenceId: "A-1", name: "Acme" }, { tpReferenceId: "A-1", name: "Acme" }, {}],
  });
  const requests = "gatehouse_request_duration_seconds_count";
  expect(await increase(`${requests}{operation="listLocations",status="200"}`)).toBe(2);
  expect(await increase(`${requests}{operation="importAccounts",status="200"}`)).toBe(1);
  expect(await increase(`${requests}{operation="other",status="404"}`)).toBe(1);
  for (const outcome of ["created", "skipped", "failed"])
    expect(await increase(`gatehouse_records_total{resource="accounts",outcome="${outcome}"}`)).toBe(1);

  const text = await metrics();
  for (const name of [
    'gatehouse_request_duration_seconds_bucket{le="0.1",operation="listLocations",status="200"}',
    'gatehouse_database_connections{pool="work",state="open"}',
    'gatehouse_database_connections{pool="gate",state="waiting"}',
    "gatehouse_event_loop_delay_max_seconds",
    "gatehouse_requests_limited_total",
    "process_resident_memory_bytes",
    "nodejs_eventloop_lag_seconds",
  ])
    expect(text).toContain(name);
  // No labels for organizations or keys: they would grow without bound and expose customers.
  expect(text).not.toContain(organizationId);
});
