import {
  importResources,
  maxBodyBytes,
  operationExamples,
  operationNames,
  operations,
  type OperationName,
} from "@gatehouse-parking/contract";
import { describe, expect, test } from "vitest";
import { useApp, type Answer } from "../../../testing/harness.js";
import { createApiKey, revokeApiKey } from "../organizations/api-keys.js";
import { generateApiKey } from "./api-key-format.js";

const gatehouse = useApp();

/** Every operation except lead submission, which has a different order of checks. */
const names = operationNames.filter((name) => name !== "submitLead");
const isPost = (name: OperationName) => operations[name].method === "POST";
const takesJson = (name: OperationName) => typeof operationExamples[name].request === "object";
const takesBatch = (name: OperationName) =>
  Object.values(importResources).some((one) =>
    [one.importOperation, one.validateOperation].includes(name as never),
  );

const filledIn = (path: string) => path.replace(/:\w+/, "01a1dd0e-c298-72ae-9b8a-14211f028ea1");

interface Attempt {
  key?: string | undefined;
  headers?: Record<string, string | string[]>;
  payload?: string | Buffer;
}

function attempt(name: OperationName, { key, headers, payload }: Attempt): Promise<Answer> {
  const { method, path } = operations[name];
  return gatehouse.send({
    method,
    url: filledIn(path),
    ...(key === undefined ? {} : { key }),
    ...(isPost(name) ? { payload: payload ?? "{" } : {}),
    headers: { ...(isPost(name) ? { "content-type": "application/json" } : {}), ...headers } as Record<
      string,
      string
    >,
  });
}

function expectEnvelope(answer: Answer, status: number): void {
  expect(answer.status).toBe(status);
  expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
  expect(answer.json).toEqual({
    success: false,
    message: expect.any(String),
    errors: [expect.any(String)],
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  });
  expect(answer.headers["x-request-id"]).toBeTruthy();
  expect(answer.headers["cache-control"]).toBe("no-store");
}

function expectLimitHeaders(answer: Answer): void {
  for (const header of ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"])
    expect(answer.headers[header], header).toMatch(/^\d+$/);
}

describe.each(names)("%s", (name) => {
  /** @covers R31, reading 33 */
  test("plain HTTP gets 403 before the key is checked, and is never redirected", async () => {
    const { apiKey } = await gatehouse.tenant();
    for (const key of [apiKey, "bad", undefined]) {
      const answer = await attempt(name, { key, headers: { "x-forwarded-proto": "http" } });
      expectEnvelope(answer, 403);
      expect(answer.json.message).toBe("HTTPS is required");
      expect(answer.headers["location"]).toBeUndefined();
      expectLimitHeaders(answer);
    }
  });

  /** @covers R18-R21, R278, reading 36, reading 38 */
  test("a missing, malformed, unknown, expired or revoked key gets 401 before the body is parsed", async () => {
    const { organizationId } = await gatehouse.tenant();
    const pool = gatehouse.database.work;
    const revoked = await createApiKey(pool, { organizationId, name: "revoked", actor: "test" });
    await revokeApiKey(pool, { keyId: revoked.uuid, actor: "test" });
    const expired = await createApiKey(pool, {
      organizationId,
      name: "expired",
      expiresAt: new Date(Date.now() + 60_000),
      actor: "test",
    });
    await pool.query("update api_keys set expires_at = now() - interval '1 second' where id = $1", [
      expired.uuid,
    ]);

    const unusable = [undefined, "bad", "Bearer x", "ghk_", generateApiKey(), revoked.key, expired.key];
    for (const key of unusable) {
      // A body that is too large, has another media type and is not JSON.
      const answer = await attempt(name, {
        key,
        payload: Buffer.alloc(isPost(name) ? maxBodyBytes + 1 : 0, "{"),
        headers: { "content-type": "text/plain", "content-encoding": "gzip" },
      });
      expectEnvelope(answer, 401);
      expectLimitHeaders(answer);
      expect(answer.headers["www-authenticate"]).toBe(
        'ApiKey realm="Gatehouse", in="header", name="X-API-KEY"',
      );
    }
  });

  /** @covers R22, R278, reading 37 */
  test("a key without the permission gets 403 naming the permission, and the request is not counted", async () => {
    const { permission } = operations[name];
    const { organizationId } = await gatehouse.tenant();
    const others = ["leads:write", "transactions:write", "accounts:write", "locations:read", "imports:read"];
    const { key } = await createApiKey(gatehouse.database.work, {
      organizationId,
      name: "others",
      permissions: others.filter((other) => other !== permission),
      actor: "test",
    });
    const answer = await attempt(name, { key });
    expectEnvelope(answer, 403);
    expect(answer.json.errors).toEqual([`The key needs the permission ${permission}`]);
    const { rowCount } = await gatehouse.database.work.query("select from rate_limits where bucket = $1", [
      `${name}:${organizationId}`,
    ]);
    expect(rowCount).toBe(0);
  });

  test("two API key headers are rejected", async () => {
    const [one, other] = [await gatehouse.tenant(), await gatehouse.tenant()];
    const headers = { "x-api-key": [one.apiKey, other.apiKey] };
    expectEnvelope(await attempt(name, { headers }), 401);
  });

  /** @covers reading 44 */
  test("paths match in any case and with a trailing slash", async () => {
    const { apiKey } = await gatehouse.tenant();
    const { method, path } = operations[name];
    const url = filledIn(path);
    const plain = await attempt(name, { key: apiKey });
    for (const spelling of [url.toUpperCase(), `${url}/`, `${url}/?page=1`, `${url.replace("i", "I")}/`]) {
      const answer = await gatehouse.send({
        method,
        url: spelling,
        key: apiKey,
        ...(isPost(name) ? { payload: "{", headers: { "content-type": "application/json" } } : {}),
      });
      expect(answer.status, spelling).toBe(plain.status);
    }
    for (const spelling of [`${url}//`, `/v1${url}`, `${url}.json`, `${url}/more/still`]) {
      const answer = await gatehouse.send({ method, url: spelling, key: apiKey });
      expect([404, 405], spelling).toContain(answer.status);
    }
  });

  /** @covers R279 */
  test("another method gets 405 with Allow in the envelope, even without a key", async () => {
    const { path } = operations[name];
    const url = filledIn(path);
    const allowed = operationNames
      .filter((one) => operations[one].path === path)
      .map((one) => operations[one].method);
    for (const other of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"] as const) {
      if (allowed.includes(other as never)) continue;
      const answer = await gatehouse.send({ method: other, url });
      expect(answer.status, other).toBe(405);
      expect(answer.headers["allow"], other).toBe(allowed.toSorted().join(", "));
      if (other !== "HEAD") expectEnvelope(answer, 405);
    }
  });
});

describe.each(names.filter(takesJson))("%s", (name) => {
  /** @covers reading 34 */
  test("413 comes before 415, and 415 before 400", async () => {
    const { apiKey } = await gatehouse.tenant();
    const tooLarge = Buffer.alloc(maxBodyBytes + 1, "{");
    for (const type of ["text/plain", "json", "application/json"]) {
      const answer = await attempt(name, {
        key: apiKey,
        payload: tooLarge,
        headers: { "content-type": type, "content-encoding": "gzip" },
      });
      expect(answer.status, type).toBe(413);
      expect(answer.text).toBe("");
      expect(answer.headers["content-type"]).toBeUndefined();
      expectLimitHeaders(answer);
    }
    expectEnvelope(await attempt(name, { key: apiKey, headers: { "content-type": "text/plain" } }), 415);
    const malformed = await attempt(name, { key: apiKey });
    expect(malformed.status).toBe(400);
    expect(malformed.headers["content-type"]).toBe(
      takesBatch(name) ? "application/problem+json; charset=utf-8" : "application/json; charset=utf-8",
    );
    expectLimitHeaders(malformed);
  });

  test("another or missing media type and a content encoding get 415; JSON in UTF-8 is accepted in any spelling", async () => {
    const { apiKey } = await gatehouse.tenant();
    const statusOf = async (headers: Record<string, string>) =>
      (await attempt(name, { key: apiKey, headers })).status;
    for (const type of [
      "",
      "json",
      "text/json",
      "text/plain",
      "application/jsonp",
      "application/json-patch+json",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "application/json; charset=utf-16",
      "application/json; charset=latin1",
      "application/json, text/plain",
    ])
      expect(await statusOf({ "content-type": type }), type).toBe(415);
    for (const encoding of ["gzip", "br", "deflate", "gzip, identity"])
      expect(await statusOf({ "content-encoding": encoding }), encoding).toBe(415);
    const compressed = await attempt(name, { key: apiKey, headers: { "content-encoding": "gzip" } });
    expect(compressed.json.errors).toEqual(["The body must be sent without a Content-Encoding"]);
    for (const type of [
      "application/json",
      "Application/JSON",
      "application/json;charset=UTF-8",
      'application/json; charset="utf-8"',
      "application/json; charset=utf8",
      "application/json ; version=1; charset=utf-8",
      "application/json;",
    ])
      expect(await statusOf({ "content-type": type }), type).toBe(400);
    expect(await statusOf({ "content-encoding": "identity" })).toBe(400);
  });

  test("a missing body gets 415 without a media type, and otherwise malformed JSON", async () => {
    const { apiKey } = await gatehouse.tenant();
    expectEnvelope(await attempt(name, { key: apiKey, payload: "", headers: { "content-type": "" } }), 415);
    const empty = await attempt(name, { key: apiKey, payload: "" });
    expect(empty.status).toBe(400);
    if (takesBatch(name)) expect(empty.json.status).toBe(400);
  });
});

/** @covers R279 */
test("an unknown path gets 404 in the envelope", async () => {
  for (const url of ["/integrations", "/integrations/contacts", "/lead", "/v1/integrations/locations"]) {
    const answer = await gatehouse.send({ method: "GET", url });
    expectEnvelope(answer, 404);
    expect(answer.headers["x-ratelimit-limit"]).toBeUndefined();
  }
});

test("a method other than GET on a public page gets 405", async () => {
  const answer = await gatehouse.send({ method: "POST", url: "/livez" });
  expectEnvelope(answer, 405);
  expect(answer.headers["allow"]).toBe("GET, HEAD");
});

const idOf = async (id: string) =>
  (await gatehouse.send({ url: "/livez", headers: { "x-request-id": id } })).headers["x-request-id"];

test("a harmless X-Request-Id of the caller is kept, and any other is replaced", async () => {
  for (const id of ["a", "trace-1:2.3_4", "A".repeat(64)]) expect(await idOf(id)).toBe(id);
  for (const id of ["", "a b", "a,b", "<script>", "é", "A".repeat(65), '{"a":1}', "a\tb"])
    expect(await idOf(id), id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
});

test("every answer has the security headers", async () => {
  const { apiKey } = await gatehouse.tenant();
  for (const url of ["/integrations/locations", "/absent", "/livez"]) {
    const { headers } = await gatehouse.send({ url, key: apiKey, headers: { host: "api.example.com" } });
    expect(headers).toMatchObject({
      "content-security-policy": "default-src 'none';frame-ancestors 'none'",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      ...(url === "/livez" ? {} : { "cache-control": "no-store" }),
      "strict-transport-security": "max-age=31536000",
    });
    expect(headers).not.toHaveProperty("x-powered-by");
    expect(headers).not.toHaveProperty("server");
  }
});

const transportSecurity = async (host: string, proto: string) =>
  (await gatehouse.send({ url: "/livez", headers: { host, "x-forwarded-proto": proto } })).headers[
    "strict-transport-security"
  ];

test("Strict-Transport-Security is not sent over plain HTTP or under a local name", async () => {
  expect(await transportSecurity("api.example.com:8443", "https")).toBeDefined();
  expect(await transportSecurity("api.example.com", "http")).toBeUndefined();
  for (const host of ["localhost", "localhost:8443", "api.localhost", "127.0.0.1:8443", "[::1]:8443"])
    expect(await transportSecurity(host, "https"), host).toBeUndefined();
});

/** @covers R26, R211 */
test("a key has access to its own organization only", async () => {
  const [one, other] = [await gatehouse.tenant(), await gatehouse.tenant()];
  const list = async (key: string) =>
    (await gatehouse.send({ url: "/integrations/locations", key })).json.data.map(
      ({ uuid }: { uuid: string }) => uuid,
    );
  expect(await list(one.apiKey)).toEqual([one.locationUuid]);
  expect(await list(other.apiKey)).toEqual([other.locationUuid]);
});
