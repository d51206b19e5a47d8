import { errors, type ErrorName } from "@gatehouse-parking/contract";
import { expect, test } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { generateApiKey } from "../gate/api-key-format.js";
import { createApiKey, revokeApiKey } from "../organizations/api-keys.js";
import { Refused } from "./refused.js";

const secret = "ghk_secret select * from people where name = 'Jo'";
const thrown: Record<string, () => unknown> = {
  error: () => new Error(`${secret} in /home/gatehouse/src/file.ts`),
  type: () => new TypeError("Cannot read properties of undefined (reading 'x')"),
  text: () => secret,
  null: () => null,
  object: () => ({ message: secret, statusCode: 418 }),
  status: () => Object.assign(new Error(secret), { statusCode: 418, code: "FST_ERR_VALIDATION" }),
};

const gatehouse = useApp({}, (app) => {
  app.get("/throw/:what", { config: { access: "public" } }, async (request) => {
    throw thrown[(request.params as { what: string }).what]?.();
  });
  app.get("/refuse/:refusal", { config: { access: "public" } }, async (request) => {
    throw new Refused((request.params as { refusal: ErrorName }).refusal);
  });
});

const envelope = (message: string) => ({
  success: false,
  message,
  errors: [message],
  timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
});

/** @covers R281 */
test.each(Object.keys(errors) as ErrorName[])(
  "%s is answered as its row of the error table says",
  async (name) => {
    const { status, message } = errors[name];
    const answer = await gatehouse.send({ url: `/refuse/${name}` });
    expect(answer.status).toBe(status);
    expect(answer.headers["x-request-id"]).toBeTruthy();
    expect(answer.headers["x-error"]).toBe(name);
    expect(answer.headers["cache-control"]).toBe("no-store");
    if (name === "bodyTooLarge") expect(answer.text).toBe("");
    else if (name !== "rateLimited") expect(answer.json).toEqual(envelope(message));
    expect(answer.headers["retry-after"]).toBe(status === 429 ? "60" : status === 503 ? "5" : undefined);
  },
);

/** @covers R200 */
test.each(Object.keys(thrown))(
  "an unexpected error (%s) is a 500 without details, and the log has the cause under the same request ID",
  async (what) => {
    const answer = await gatehouse.send({ url: `/throw/${what}` });
    expect(answer.status).toBe(500);
    expect(answer.json).toEqual(envelope("An unexpected error occurred"));
    expect(answer.text).not.toMatch(/select|people|Jo|\.ts|\/home|TypeError|reading|at /);
    const lines = gatehouse.logged.filter(({ reqId }) => reqId === answer.headers["x-request-id"]);
    expect(lines).toMatchObject([
      { level: 50, msg: "request failed" },
      { level: 30, msg: "request completed", status: 500, outcome: "internal" },
    ]);
    if (what === "error") expect(JSON.stringify(lines[0]?.["err"])).toContain("/home/gatehouse/src/file.ts");
  },
);

test("a database error exposes nothing to the client, and the log has no row values", async () => {
  const { apiKey } = await gatehouse.tenant();
  await gatehouse.database.work.query("alter table locations rename to elsewhere");
  try {
    const answer = await gatehouse.send({ url: "/integrations/locations?query=Jo", key: apiKey });
    expect(answer.status).toBe(500);
    expect(answer.json).toEqual(envelope("An unexpected error occurred"));
    const line = gatehouse.logged.find(
      ({ reqId, level }) => reqId === answer.headers["x-request-id"] && level === 50,
    );
    expect(line?.["err"]).toMatchObject({ code: "42P01" });
  } finally {
    await gatehouse.database.work.query("alter table elsewhere rename to locations");
  }
});

test("the log contains no key, query string or header", async () => {
  const { apiKey } = await gatehouse.tenant();
  await gatehouse.send({
    url: "/integrations/locations?query=personal",
    key: apiKey,
    headers: { cookie: "session=personal", authorization: "Bearer personal" },
  });
  await gatehouse.send({ url: "/absent?token=personal", key: apiKey });
  const log = JSON.stringify(gatehouse.logged);
  expect(log).not.toContain(apiKey);
  expect(log).not.toContain("personal");
});

test("the request log has the caller, the operation, the outcome and the duration", async () => {
  const { apiKey, organizationId } = await gatehouse.tenant();
  const answer = await gatehouse.send({ url: "/integrations/locations", key: apiKey });
  expect(gatehouse.logged.find(({ reqId }) => reqId === answer.headers["x-request-id"])).toMatchObject({
    level: 30,
    method: "GET",
    route: "/integrations/locations",
    operation: "listLocations",
    organizationId,
    apiKeyId: expect.any(String),
    status: 200,
    outcome: "ok",
    durationMs: expect.any(Number),
    msg: "request completed",
  });
  const probe = await gatehouse.send({ url: "/livez" });
  expect(gatehouse.logged.find(({ reqId }) => reqId === probe.headers["x-request-id"])?.["level"]).toBe(20);
});

test("the log says which key was rejected and why; the answer does not", async () => {
  const { organizationId } = await gatehouse.tenant();
  const pool = gatehouse.database.work;
  const revoked = await createApiKey(pool, { organizationId, name: "revoked", actor: "test" });
  await revokeApiKey(pool, { keyId: revoked.uuid, actor: "test" });
  const expired = await createApiKey(pool, { organizationId, name: "expired", actor: "test" });
  await pool.query("update api_keys set expires_at = now() where id = $1", [expired.uuid]);
  const problems = [
    [revoked.key, { reason: "revoked", organizationId, apiKeyId: revoked.uuid }],
    [expired.key, { reason: "expired", organizationId, apiKeyId: expired.uuid }],
    [generateApiKey(), { reason: "unknown" }],
    ["no key at all", { reason: "malformed" }],
  ] as const;

  const told = new Set<string>();
  for (const url of ["/integrations/locations", "/lead/submit"]) {
    for (const [key, keyProblem] of problems) {
      const method = url === "/lead/submit" ? "POST" : "GET";
      const answer = await gatehouse.send({ method, url, key });
      const line = gatehouse.logged.find(({ reqId }) => reqId === answer.headers["x-request-id"]);
      expect(line?.["keyProblem"]).toEqual(keyProblem);
      told.add(JSON.stringify({ ...answer.json, status: answer.status, timestamp: undefined }));
    }
  }
  expect(told.size).toBe(2);

  // Checked together with a valid key, it is neither accepted nor counted.
  const good = await createApiKey(pool, { organizationId, name: "good", actor: "test" });
  const list = (key: string) => gatehouse.send({ url: "/integrations/locations", key });
  const answers = await Promise.all([revoked.key, good.key, expired.key].map(list));
  expect(answers.map(({ status }) => status)).toEqual([401, 200, 401]);
  const { headers } = await list(good.key);
  expect(Number(headers["x-ratelimit-limit"]) - Number(headers["x-ratelimit-remaining"])).toBe(2);
});
