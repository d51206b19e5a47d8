import { operations } from "@gatehouse-parking/contract";
import type pg from "pg";
import { expect, test } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { hashApiKey } from "./api-key-format.js";
import { loadedColumns } from "../organizations/settings.js";
import { admitByKey } from "./admission.js";

const gatehouse = useApp({ limits: {} });

interface Plan {
  "Node Type": string;
  "Relation Name"?: string;
  "Sort Method"?: string;
  "Sort Space Type"?: string;
  "Temp Written Blocks"?: number;
  Plans?: Plan[];
}

function* nodes(plan: Plan): Generator<Plan> {
  yield plan;
  for (const part of plan.Plans ?? []) yield* nodes(part);
}

test("the admission query uses indexes and memory only, even without statistics", async () => {
  const { apiKey, organizationId } = await gatehouse.tenant();
  const pool = gatehouse.database.gate;
  await pool.query(
    `insert into organizations (id, name) select gen_random_uuid(), 'Other' from generate_series(1, 2000)`,
  );
  await pool.query(
    `insert into api_keys (organization_id, id, name, prefix, hash, permissions)
     select id, gen_random_uuid(), 'other', 'ghk_', sha256(id::text::bytea), '{imports:read}' from organizations where name = 'Other'`,
  );
  await pool.query(
    `insert into rate_limits (bucket, moments, counts, accepted, expires_at)
     select 'listLocations:' || id, array_fill(clock_timestamp(), array[299]), array_fill(1, array[299]), 1, clock_timestamp()
     from (select id from organizations where name = 'Other' limit 500) as other
     union all
     select 'listLocations:' || $1, array_fill(clock_timestamp(), array[299]), array_fill(1, array[299]), 1, clock_timestamp()`,
    [organizationId],
  );
  await pool.query(
    `update organizations set own_limits = '{"listLocations": {"requests": 1000, "windowSeconds": 60}}' where id = $1`,
    [organizationId],
  );
  const { limit, permission } = operations.listLocations;
  const values = ["listLocations", limit.requests, limit.windowSeconds, [hashApiKey(apiKey)], permission];
  const { rows } = await pool.query<{ "QUERY PLAN": string }>(
    `explain (analyze, buffers, format json) ${admitByKey(loadedColumns("imports"))}`,
    values,
  );
  const [{ Plan: plan }] = JSON.parse(rows[0]?.["QUERY PLAN"] as string) as [{ Plan: Plan }];
  const read = [...nodes(plan)].filter((node) => node["Relation Name"]);
  expect(new Set(read.map((node) => node["Relation Name"]))).toEqual(
    new Set(["api_keys", "organizations", "rate_limits"]),
  );
  for (const node of read) expect(node["Node Type"], JSON.stringify(node)).not.toBe("Seq Scan");
  for (const node of nodes(plan)) {
    expect(node["Temp Written Blocks"] ?? 0).toBe(0);
    expect(node["Sort Space Type"] ?? "Memory").toBe("Memory");
  }
});

/** How the prepared statements of a pool's connections were planned. */
async function plansOf(pool: pg.Pool): Promise<{ name: string; custom_plans: number }[]> {
  const clients = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()));
  const answers = await Promise.all(
    clients.map((client) => client.query("select name, custom_plans from pg_prepared_statements")),
  );
  for (const client of clients) client.release();
  return answers.flatMap(({ rows }) => rows);
}

test("the admission query is planned once per connection, not per request", async () => {
  const { apiKey } = await gatehouse.tenant();
  expect((await gatehouse.send({ url: "/integrations/imports", key: apiKey })).status).toBe(200);
  expect((await gatehouse.post("/lead/submit", apiKey, {})).status).toBe(400);
  const plans = await plansOf(gatehouse.database.gate);
  expect(plans.filter(({ custom_plans }) => custom_plans > 0)).toEqual([]);
  expect(plans.map(({ name }) => name)).toEqual(expect.arrayContaining(["admit-by-key", "admit-by-address"]));
});
