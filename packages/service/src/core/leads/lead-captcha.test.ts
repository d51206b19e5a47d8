import { randomUUID } from "node:crypto";
import { captchaTypes } from "@gatehouse-parking/contract";
import { afterEach, expect, test } from "vitest";
import { sendJson, useCaptchaServer } from "../../../testing/captcha-provider.js";
import { useApp } from "../../../testing/harness.js";
import { configureOrganization } from "../organizations/configure-organization.js";
import { captchaTimeoutMs } from "./captcha/verify-captcha.js";

const provider = useCaptchaServer();
const address = {
  get recaptchaUrl() {
    return provider.url;
  },
  get hcaptchaUrl() {
    return provider.url;
  },
  get turnstileUrl() {
    return provider.url;
  },
};
const gatehouse = useApp(address);
afterEach(() => provider.behave());

async function guardedTenant(settings: object = {}) {
  const tenant = await gatehouse.tenant();
  await configureOrganization(gatehouse.database.work, async () => Buffer.alloc(32, 7), {
    organizationId: tenant.organizationId,
    captchaType: "turnstile",
    captchaSecret: provider.secret,
    actor: "test",
    ...settings,
  });
  const submit = (fields: object = {}, headers: Record<string, string> = {}) =>
    gatehouse.send({
      method: "POST",
      url: "/lead/submit",
      key: tenant.apiKey,
      headers: { "content-type": "application/json", "x-forwarded-for": "203.0.113.20", ...headers },
      payload: JSON.stringify({ email: "jo@example.com", locationUuid: tenant.locationUuid, ...fields }),
    });
  const leads = async () => {
    const { rows } = await gatehouse.database.work.query(
      "select state, captcha_type, captcha_result from leads where organization_id = $1 order by id",
      [tenant.organizationId],
    );
    return rows;
  };
  return { ...tenant, submit, leads };
}

/** @covers R254 */
test.each(captchaTypes)(
  "%s: a valid token is accepted, and its result is stored with the lead",
  async (type) => {
    const { submit, leads } = await guardedTenant({ captchaType: type });
    const token = provider.issue({ hostname: "garage.example" });
    expect((await submit({ captchaToken: token, captchaType: type })).status).toBe(200);
    expect(provider.requests.at(-1)).toEqual({
      secret: provider.secret,
      response: token,
      remoteip: "203.0.113.20",
    });
    const [lead] = await leads();
    expect(lead.captcha_type).toBe(type);
    expect(JSON.parse(lead.captcha_result)).toEqual({
      hostname: "garage.example",
      challengeTime: "2026-04-01T14:30:00Z",
    });
  },
);

/** @covers R254, reading 48 */
test("a missing, refused or used token, or another type: 400, and nothing is stored", async () => {
  const { submit, leads } = await guardedTenant();
  const errorsOf = async (fields: object) => {
    const answer = await submit(fields);
    return [answer.status, answer.json.errors];
  };
  for (const captchaToken of [undefined, null, "", " "]) {
    expect(await errorsOf({ captchaToken })).toEqual([400, ["captchaToken is required"]]);
  }
  expect(await errorsOf({ captchaToken: "invented" })).toEqual([
    400,
    ["captchaToken was not accepted; solve the captcha again"],
  ]);
  expect(await errorsOf({ captchaToken: provider.issue(), captchaType: "hcaptcha" })).toEqual([
    400,
    ["captchaType must be turnstile"],
  ]);
  expect(await leads()).toEqual([]);
  const token = provider.issue();
  expect((await submit({ captchaToken: token })).status).toBe(200);
  expect((await submit({ captchaToken: token })).status).toBe(400);
});

test("the expected hostname and the minimum score decide", async () => {
  const { submit, leads } = await guardedTenant({
    captchaType: "recaptcha",
    captchaMinimumScore: 0.7,
    captchaHostnames: ["www.example.com"],
  });
  const send = (extra: object) => submit({ captchaToken: provider.issue(extra as Record<string, unknown>) });
  expect((await send({ score: 0.9, hostname: "evil.example" })).status).toBe(400);
  expect((await send({ score: 0.5 })).status).toBe(400);
  expect((await send({ score: 0.9 })).status).toBe(200);
  expect(await leads()).toHaveLength(1);
});

/** @covers R255 */
test("without a captcha no token is needed, and one that is sent is not verified", async () => {
  const { apiKey, locationUuid } = await gatehouse.tenant();
  const asked = provider.requests.length;
  const body = { email: "jo@example.com", locationUuid, captchaToken: "anything", captchaType: "hcaptcha" };
  expect((await gatehouse.post("/lead/submit", apiKey, body)).status).toBe(200);
  expect(provider.requests).toHaveLength(asked);
});

/** @covers reading 35 */
test("the token is not spent on a lead that is rejected for another reason", async () => {
  const { submit } = await guardedTenant();
  const token = provider.issue();
  expect((await submit({ captchaToken: token, email: "no" })).status).toBe(400);
  expect((await submit({ captchaToken: token, locationUuid: randomUUID() })).status).toBe(400);
  expect((await submit({ captchaToken: token })).status).toBe(200);
});

/** @covers reading 48 */
test("an unreachable or broken provider: 503, nothing is stored, and the log says why", async () => {
  const { submit, leads } = await guardedTenant();
  provider.behave((_request, response) => sendJson(response, { error: "down" }, 500));
  const answer = await submit({ captchaToken: "token" });
  expect([answer.status, answer.headers["retry-after"], answer.json]).toEqual([
    503,
    "5",
    expect.objectContaining({ success: false, message: "The captcha could not be checked at the moment" }),
  ]);
  expect(await leads()).toEqual([]);
  expect(gatehouse.logged).toContainEqual(
    expect.objectContaining({ msg: "captcha unavailable", reason: expect.stringContaining("500") }),
  );
});

test("a provider that never answers times out after five seconds: 503", async () => {
  const { submit, leads } = await guardedTenant();
  provider.behave(() => {});
  expect(captchaTimeoutMs).toBe(5_000);
  expect((await submit({ captchaToken: "token" })).status).toBe(503);
  expect(await leads()).toEqual([]);
});

test("a secret that cannot be decrypted: 503, and the log says what to do", async () => {
  const { submit, organizationId } = await guardedTenant();
  await gatehouse.database.work.query("update organizations set captcha_secret = '\\x01' where id = $1", [
    organizationId,
  ]);
  expect((await submit({ captchaToken: provider.issue() })).status).toBe(503);
  expect(JSON.stringify(gatehouse.logged)).toContain("GATEHOUSE_SECRET_KEY");
});

test("the token and the secret are never logged", async () => {
  const { submit } = await guardedTenant();
  await submit({ captchaToken: "a-token-to-look-for" });
  await submit({ captchaToken: provider.issue() });
  const log = JSON.stringify(gatehouse.logged);
  expect(log).not.toContain("a-token-to-look-for");
  expect(log).not.toContain(provider.secret);
});

test("a replay under its Idempotency-Key is answered without asking the provider again", async () => {
  const { submit, leads } = await guardedTenant();
  const headers = { "idempotency-key": randomUUID() };
  const body = { captchaToken: provider.issue() };
  const first = await submit(body, headers);
  const asked = provider.requests.length;
  const replays = [
    await submit(body, headers),
    await submit({ captchaToken: provider.issue() }, headers),
    await submit({}, headers),
  ];
  for (const replay of replays) expect([replay.status, replay.json]).toEqual([200, first.json]);
  expect(provider.requests).toHaveLength(asked);
  expect(await leads()).toHaveLength(1);
});

test("equal concurrent requests spend one token and get one lead", async () => {
  const { submit, leads } = await guardedTenant();
  const headers = { "idempotency-key": randomUUID() };
  let asked = 0;
  // Verification takes a while. A second request with the same token meanwhile would see the token as spent.
  provider.behave((_request, response) => {
    asked += 1;
    if (asked === 1) setTimeout(() => sendJson(response, { success: true }), 300);
    else sendJson(response, { success: false, "error-codes": ["timeout-or-duplicate"] });
  });
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => submit({ captchaToken: "one" }, headers)),
  );
  expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200]);
  expect(new Set(answers.map((answer) => answer.json.leadUuid)).size).toBe(1);
  expect(await leads()).toHaveLength(1);
  expect(asked).toBe(1);
});

test("a failed first attempt leaves nothing behind, and the second succeeds", async () => {
  const { submit, leads } = await guardedTenant();
  const headers = { "idempotency-key": randomUUID() };
  provider.behave((request) => void request.socket.destroy());
  expect((await submit({ captchaToken: "token" }, headers)).status).toBe(503);
  provider.behave();
  expect((await submit({ captchaToken: "refused" }, headers)).status).toBe(400);
  expect((await submit({ captchaToken: provider.issue() }, headers)).status).toBe(200);
  expect(await leads()).toHaveLength(1);
  const { rows } = await gatehouse.database.work.query("select from lead_attempts");
  expect(rows).toEqual([]);
});

test("an attempt whose instance died blocks its key no longer than the attempt could have lasted", async () => {
  const { submit, organizationId } = await guardedTenant();
  const key = randomUUID();
  await gatehouse.database.work.query(
    "insert into lead_attempts values ($1, $2, $3, now() - interval '1 second')",
    [organizationId, key, randomUUID()],
  );
  const answer = await submit({ captchaToken: provider.issue() }, { "idempotency-key": key });
  expect(answer.status).toBe(200);
});

test("a filled honeypot does not skip the captcha, so a bot sees the same answers", async () => {
  const { submit, leads } = await guardedTenant({ honeypotField: "website" });
  expect((await submit({ website: "spam.example" })).json.errors).toEqual(["captchaToken is required"]);
  expect((await submit({ website: "spam.example", captchaToken: provider.issue() })).status).toBe(200);
  expect(await leads()).toMatchObject([{ state: "quarantined", captcha_type: "turnstile" }]);
});
