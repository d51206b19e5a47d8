import { operations, operationNames } from "@gatehouse-parking/contract";
import { expect, test, vi } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { createApiKey, revokeApiKey } from "../organizations/api-keys.js";
import { configureOrganization } from "../organizations/configure-organization.js";

const gatehouse = useApp({ limits: {} });
let lastHost = 0;

/** A tenant with a key that lists a separate origin. Each request comes from a new address. */
async function site() {
  const tenant = await gatehouse.tenant();
  lastHost += 1;
  const origin = `https://site-${lastHost}.example`;
  const key = await createApiKey(gatehouse.database.work, {
    organizationId: tenant.organizationId,
    name: "web",
    permissions: ["leads:write"],
    leadOrigins: [origin],
    actor: "test",
  });
  const from = `198.51.100.${lastHost}`;
  const submit = (headers: Record<string, string>, body: unknown = {}, apiKey = key.key) =>
    gatehouse.send({
      method: "POST",
      url: "/lead/submit",
      key: apiKey,
      headers: { "content-type": "application/json", "x-forwarded-for": from, ...headers },
      payload: JSON.stringify(body),
    });
  return {
    ...tenant,
    origin,
    webKey: key,
    submit,
    lead: { email: "jo@example.com", locationUuid: tenant.locationUuid },
  };
}

const preflight = (origin: string, url = "/lead/submit", headers: Record<string, string> = {}) =>
  gatehouse.send({
    method: "OPTIONS",
    url,
    headers: {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "content-type,x-api-key",
      ...headers,
    },
  });

test("a preflight from a listed origin is allowed, with the headers that a form needs", async () => {
  const { origin } = await site();
  for (const url of ["/lead/submit", "/lead/Submit"]) {
    const answer = await preflight(origin, url);
    expect([answer.status, answer.text]).toEqual([204, ""]);
    expect(answer.headers).toMatchObject({
      "access-control-allow-origin": origin,
      "access-control-allow-methods": "POST",
      "access-control-allow-headers": "Content-Type, X-API-KEY, Idempotency-Key",
      "access-control-max-age": "600",
      vary: "Origin",
    });
    expect(answer.headers["access-control-allow-credentials"]).toBeUndefined();
  }
});

test("a preflight from any other origin is rejected, without a header that would allow it", async () => {
  const { origin } = await site();
  const others = [
    "https://evil.example",
    "null",
    `${origin}.evil.example`,
    origin.replace("https", "http"),
    "*",
    "x".repeat(5_000),
  ];
  for (const other of others) {
    const answer = await preflight(other);
    expect([answer.status, answer.headers["access-control-allow-origin"], answer.headers["vary"]]).toEqual([
      403,
      undefined,
      "Origin",
    ]);
  }
});

test("origins of a key or a whole organization apply at once, until the key is revoked", async () => {
  const { organizationId, webKey, origin } = await site();
  const shared = origin.replace("site", "shared");
  expect((await preflight(shared)).status).toBe(403);
  await configureOrganization(gatehouse.database.work, async () => Buffer.alloc(32, 7), {
    organizationId,
    leadOrigins: [shared],
    actor: "test",
  });
  expect((await preflight(shared)).status).toBe(204);
  await revokeApiKey(gatehouse.database.work, { keyId: webKey.uuid, actor: "test" });
  expect((await preflight(origin)).status).toBe(403);
});

test("a lead from a listed origin is accepted, and the page may read the answer and its headers", async () => {
  const { origin, submit, lead } = await site();
  const answer = await submit({ origin }, lead);
  expect(answer.status).toBe(200);
  expect(answer.headers).toMatchObject({
    "access-control-allow-origin": origin,
    "access-control-expose-headers": expect.stringContaining("X-RateLimit-Remaining"),
    vary: "Origin",
  });
});

test("a lead from an origin that its key does not list is rejected, even if another key lists it", async () => {
  const { submit, lead, organizationId } = await site();
  const { origin: foreign } = await site();
  for (const origin of ["https://evil.example", "null", foreign]) {
    const answer = await submit({ origin }, lead);
    expect([answer.status, answer.headers["access-control-allow-origin"], answer.json.message]).toEqual([
      403,
      undefined,
      "This origin may not submit leads with this key",
    ]);
  }
  const { rows } = await gatehouse.database.work.query("select from leads where organization_id = $1", [
    organizationId,
  ]);
  expect(rows).toEqual([]);
});

test("a request without an Origin, or from the service's own pages, needs no listed origin", async () => {
  const { submit, lead, apiKey } = await site();
  expect((await submit({}, lead, apiKey)).status).toBe(200);
  const own = await submit({ origin: "https://gatehouse.example", host: "gatehouse.example" }, lead, apiKey);
  expect(own.status).toBe(200);
});

test("a page may read error answers as well: 400, 403, 413, 415 and 429", async () => {
  const { origin, submit, lead } = await site();
  await preflight(origin);
  const answers = [
    await submit({ origin }, { email: "no" }),
    await submit({ origin }, lead, "nonsense"),
    await submit({ origin, "content-type": "text/plain" }, lead),
    await submit({ origin }, "x".repeat(5 * 1024 * 1024)),
    await submit({ origin }, lead),
    await submit({ origin }, lead),
  ];
  expect(answers.map((answer) => answer.status)).toEqual([400, 403, 415, 413, 200, 429]);
  for (const answer of answers) expect(answer.headers["access-control-allow-origin"]).toBe(origin);
});

test("no other operation answers a preflight or allows an origin", async () => {
  const { origin, apiKey } = await site();
  for (const name of operationNames.filter((operation) => operation !== "submitLead")) {
    const { method, path } = operations[name];
    const url = path.replace(/:\w+/, "6f0d2c68-6a40-7c1e-8a52-0a1f4f3e9d10");
    const answers = [
      await preflight(origin, url),
      await gatehouse.send({ method, url, key: apiKey, headers: { origin } }),
    ];
    for (const answer of answers) {
      expect(Object.keys(answer.headers).filter((header) => header.startsWith("access-control"))).toEqual([]);
    }
    expect([404, 405]).toContain(answers[0]?.status);
  }
});

/** @covers reading 33, reading 44 */
test("OPTIONS without the preflight headers is 405, and a preflight over plain HTTP is 403", async () => {
  const { origin } = await site();
  const plain = await gatehouse.send({ method: "OPTIONS", url: "/lead/submit" });
  expect([plain.status, plain.headers["allow"]]).toEqual([405, "POST"]);
  const insecure = await preflight(origin, "/lead/submit", { "x-forwarded-proto": "http" });
  expect([insecure.status, insecure.json.message]).toEqual([403, "HTTPS is required"]);
});

test("a flood of preflights costs a few statements and does not use up the address's limit of leads", async () => {
  const { origin, submit, lead } = await site();
  const gate = vi.spyOn(gatehouse.database.gate, "query");
  const floods = Array.from({ length: 400 }, (_, index) => preflight(`https://flood-${index % 200}.example`));
  const [listed, ...answers] = await Promise.all([preflight(origin), ...floods]);
  expect(listed?.status).toBe(204);
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([403]));
  await Promise.all(Array.from({ length: 400 }, () => preflight(origin)));
  const questions = gate.mock.calls.filter(
    ([query]) => (query as unknown as { name?: string }).name === "find-listed-origins",
  );
  expect(questions.length).toBeLessThanOrEqual(5);
  gate.mockRestore();
  expect((await submit({ origin }, lead)).headers["x-ratelimit-remaining"]).toBe("4");
});
