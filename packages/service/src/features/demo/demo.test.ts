import { expect, test } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { transaction } from "../../core/database/transaction.js";
import { rejectEveryCode } from "../../core/organizations/second-factor.js";
import { signInByToken, type SignInChecks } from "../../core/console/sessions/sign-in.js";
import { statementsOf } from "../../../testing/statements.js";
import { resetDemo, resetToSampleData } from "./reset-demo.js";
import { features } from "../../features.js";
import { fillDemo } from "./sample/fill-demo.js";
import { readTimeZoneWarnings } from "../overview/time-zone-warnings.js";
import { verifyStoredData } from "../../../testing/verify.js";
import { createDemo, lacksDemo } from "./demo.js";
import { inviteInitialOperator } from "../../core/organizations/operators.js";
import { passwordMatches } from "../../core/organizations/passwords.js";
import { redeemSignInToken } from "../../core/organizations/sign-in-links.js";
import { createUser } from "../../core/organizations/accounts.js";

const app = useApp();
const actor = "test";

test("instances that start together create one demo with a working key and locations in five time zones", async () => {
  const pool = app.database.work;
  expect(await lacksDemo(pool)).toBe(true);
  const made = await Promise.all(Array.from({ length: 4 }, () => createDemo(pool, actor)));
  const [demo, ...others] = made.filter((one) => one !== undefined);
  expect(others).toEqual([]);
  expect(await lacksDemo(pool)).toBe(false);
  expect(new Set(demo?.locations.map((location) => location.timeZone)).size).toBe(5);

  const answer = await app.send({
    method: "GET",
    url: "/integrations/locations",
    key: demo?.apiKey.key ?? "",
  });
  expect(answer.status).toBe(200);
  expect(answer.json.totalCount).toBe(5);
  expect(await createDemo(pool, actor)).toBeUndefined();
});

test("the demo has a month of history: every outcome, drift, a clock warning, leads, an upload and an undone import", async () => {
  const pool = app.database.work;
  const { rows: organizations } = await pool.query<{ id: string }>(
    "select id from organizations where is_demo",
  );
  const organizationId = organizations[0]?.id as string;
  const inUse = "last_used_at = now() + interval '1 second', last_used_address = '198.51.100.9'";
  await pool.query(`update api_keys set ${inUse} where organization_id = $1`, [organizationId]);
  const observers = features.flatMap(({ afterImport }) => afterImport?.(app.config) ?? []);
  await fillDemo(pool, { organizationId, actor, observers });
  const found = await pool.query(
    `select
       (select array_agg(distinct status order by status) from import_runs where organization_id = $1) as statuses,
       (select count(distinct date_trunc('day', started_at)) >= 25 from import_runs where organization_id = $1) as is_month,
       (select count(*) >= 7 from import_runs where organization_id = $1 and started_at > now() - interval '1 day') as is_busy,
       (select array_agg(distinct key::int order by key::int) from import_runs, jsonb_object_keys(failed_by_reason) as key
        where organization_id = $1) as reasons,
       (select count(*) > 5 from import_exceptions where organization_id = $1 and differences is not null) as has_drift,
       (select array_agg(distinct state order by state) from leads where organization_id = $1) as lead_states,
       (select array_agg(distinct state order by state) from lead_work where organization_id = $1) as work_states,
       (select count(*) from leads where organization_id = $1 and duplicate_of is not null) as duplicates,
       (select array_agg(state) from uploads where organization_id = $1) as uploads,
       (select count(*) from import_runs where organization_id = $1 and undone_count > 0) as taken_back,
       (select count(distinct api_key_id) from api_key_usage where organization_id = $1) as used_keys,
       (select array_agg(last_used_address order by last_used_address) from api_keys where organization_id = $1) as used_from,
       (select count(*) > 400 from request_log where organization_id = $1) as is_logged,
       (select count(*) from api_key_usage where organization_id = $1 and hour > now()) as future_use,
       (select count(*) from api_key_usage as use join api_keys as key on key.id = use.api_key_id
        where use.organization_id = $1 and use.hour < date_trunc('hour', key.created_at)) as use_before_key`,
    [organizationId],
  );
  expect(found.rows[0]).toEqual({
    statuses: [1, 2, 3],
    is_month: true,
    is_busy: true,
    reasons: [2, 4, 5, 6, 7, 8, 9],
    has_drift: true,
    lead_states: ["accepted", "quarantined"],
    work_states: ["closed", "contacted"],
    duplicates: 1,
    uploads: ["finished"],
    taken_back: 1,
    used_keys: 2,
    used_from: ["198.51.100.9", "203.0.113.7"],
    is_logged: true,
    future_use: 0,
    use_before_key: 0,
  });
  const { data: warnings } = await readTimeZoneWarnings(pool, organizationId);
  expect(warnings.map(({ timeZone, sign }) => [timeZone, sign])).toEqual([["Asia/Kolkata", "future"]]);
  expect(await verifyStoredData(app.connectionString)).toMatchObject({ ok: true });
});

test("concurrent resets restore the sample data once", async () => {
  const pool = app.database.work;
  const { rows } = await pool.query<{ id: string }>("select id from organizations where is_demo");
  const organizationId = rows[0]?.id as string;
  const counted = async () =>
    (await pool.query("select count(*) from import_runs where organization_id = $1", [organizationId]))
      .rows[0];
  const before = await counted();
  const resets = await Promise.allSettled(
    Array.from({ length: 3 }, () => resetToSampleData(pool, { organizationId, actor, observers: [] })),
  );
  expect(resets.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await counted()).toEqual(before);
  expect(await verifyStoredData(app.connectionString)).toMatchObject({ ok: true });
});

test("a reset locks uploads before their parts, as all other code does, so that they cannot deadlock", async () => {
  const pool = app.database.work;
  const { organizationId } = await app.tenant();
  await pool.query("update organizations set is_demo = true where id = $1", [organizationId]);
  const reset = () => resetDemo(pool, { organizationId, actor });
  const deletions = (await statementsOf(pool, reset)).flatMap(
    (text) => /^delete from (upload\w*)/.exec(text)?.[1] ?? [],
  );
  expect(deletions).toHaveLength(5);
  expect(deletions[0]).toBe("uploads");
});

test("the first operator gets new sign-in links until a user can sign in", async () => {
  const pool = app.database.work;
  const first = await inviteInitialOperator(pool, actor);
  const second = await inviteInitialOperator(pool, actor);
  expect(second?.email).toBe(first?.email);

  const redeem = (token: string) => transaction(pool, (client) => redeemSignInToken(client, token));
  const link = await redeem(first?.signInToken ?? "");
  expect(link).toMatchObject({ madeBy: null, byOperator: true });
  expect(await redeem(first?.signInToken ?? "")).toBeUndefined();
  expect(await redeem("no token at all")).toBeUndefined();

  await pool.query("update sign_in_links set expires_at = now()");
  expect(await redeem(second?.signInToken ?? "")).toBeUndefined();

  await createUser(pool, {
    email: "Jo@Example.com",
    role: "operator",
    password: "long enough for it",
    actor,
  });
  expect(await inviteInitialOperator(pool, actor)).toBeUndefined();
});

const checks: SignInChecks = { verifyCode: rejectEveryCode, shouldAuditCodeRequest: async () => false };

test("after the first operator has signed in, no start creates another link, even if the session or the link is gone", async () => {
  const pool = app.database.work;
  await pool.query("update users set disabled_at = now() where password_hash is not null");
  const invited = await inviteInitialOperator(pool, actor);
  const visitor = { address: "127.0.0.1", userAgent: undefined, previousToken: undefined };
  const signIn = { token: invited?.signInToken ?? "", visitor };
  expect(await signInByToken(pool, checks, signIn)).toBeDefined();
  await pool.query("delete from sessions");
  await pool.query("delete from sign_in_links");
  expect(await inviteInitialOperator(pool, actor)).toBeUndefined();
});

test("the database keeps neither sign-in tokens nor passwords", async () => {
  const { rows } = await app.database.work.query<{ email: string; password_hash: string }>(
    "select email, password_hash from users where password_hash is not null",
  );
  expect(rows[0]?.password_hash).toMatch(/^\$argon2id\$/);
  expect(await passwordMatches(rows[0]?.password_hash ?? null, "long enough for it")).toBe(true);
  expect(await passwordMatches(rows[0]?.password_hash ?? null, "long enougH")).toBe(false);
  expect(await passwordMatches(null, "")).toBe(false);
});

test("each email address has one account, every user but an operator has an organization, and short passwords are rejected", async () => {
  const pool = app.database.work;
  const { organizationId } = await app.tenant();
  const create = (input: Partial<Parameters<typeof createUser>[1]>) =>
    createUser(pool, { email: "ann@example.com", role: "viewer", organizationId, actor, ...input });
  await expect(
    create({ email: " JO@example.com ", role: "operator", organizationId: undefined }),
  ).rejects.toThrow(/already a user/);
  await expect(create({ role: "operator" })).rejects.toThrow(/sees all organizations/);
  await expect(create({ organizationId: undefined })).rejects.toThrow(/belongs to an organization/);
  await expect(create({ role: "owner" })).rejects.toThrow(/operator, admin, viewer/);
  await expect(create({ email: "jo" })).rejects.toThrow(/not an email address/);
  await expect(create({ password: "short" })).rejects.toThrow(/12 to 512 characters/);
  await expect(create({ organizationId: "11111111-1111-1111-1111-111111111111" })).rejects.toThrow(
    /no organization/,
  );
  expect(await create({})).toMatchObject({ email: "ann@example.com", organizationUuid: organizationId });
});
