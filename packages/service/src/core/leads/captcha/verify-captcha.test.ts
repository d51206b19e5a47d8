import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { captchaTypes } from "@gatehouse-parking/contract";
import { afterEach, expect, test } from "vitest";
import { sendJson, useCaptchaServer, type Misbehaviour } from "../../../../testing/captcha-provider.js";
import { verifyCaptcha, type CaptchaRules } from "./verify-captcha.js";

const provider = useCaptchaServer();
afterEach(() => provider.behave());

/** A long timeout, because the machine may be busy, except for tests of a provider that never ends its answer. */
const verify = (token: string, rules: Partial<CaptchaRules> = {}, timeoutMs = 60_000) =>
  verifyCaptcha(
    {
      type: "recaptcha",
      secret: provider.secret,
      url: provider.url,
      minimumScore: null,
      hostnames: [],
      ...rules,
    },
    { token, remoteAddress: "203.0.113.7", timeoutMs },
  );

test.each(captchaTypes)("%s: a valid token passes once, with the visitor's address", async (type) => {
  const token = provider.issue();
  expect(await verify(token, { type })).toEqual({
    outcome: "accepted",
    result: { hostname: "www.example.com", challengeTime: "2026-04-01T14:30:00Z" },
  });
  expect(provider.requests.at(-1)).toEqual({
    secret: provider.secret,
    response: token,
    remoteip: "203.0.113.7",
  });
  expect(await verify(token, { type })).toMatchObject({ outcome: "refused" });
  expect(await verify("invented", { type })).toMatchObject({ outcome: "refused" });
});

test("a wrong secret does not count as a refused visitor", async () => {
  expect(await verify(provider.issue(), { secret: "mistyped" })).toEqual({
    outcome: "unavailable",
    reason: "the provider refused: invalid-input-secret",
  });
});

test("the hostname must be one of the expected ones, if there are any", async () => {
  const hostnames = ["www.example.com", "example.org"];
  expect(await verify(provider.issue(), { hostnames })).toMatchObject({ outcome: "accepted" });
  expect(await verify(provider.issue({ hostname: "EXAMPLE.org" }), { hostnames })).toMatchObject({
    outcome: "accepted",
  });
  for (const hostname of ["evil.example", "", null, undefined, 7]) {
    expect(await verify(provider.issue({ hostname }), { hostnames })).toMatchObject({ outcome: "refused" });
  }
});

const scored = (score: unknown, minimumScore: number | null) =>
  verify(provider.issue({ score, action: "lead" }), { minimumScore });

test("reCAPTCHA v3: a score below the minimum is rejected, and so is a missing score if a minimum is set", async () => {
  expect(await scored(0.7, 0.7)).toMatchObject({
    outcome: "accepted",
    result: { score: 0.7, action: "lead" },
  });
  expect(await scored(0.69, 0.7)).toMatchObject({ outcome: "refused" });
  expect(await scored(undefined, 0.7)).toMatchObject({ outcome: "refused" });
  expect(await scored("0.9", 0.7)).toMatchObject({ outcome: "refused" });
  expect(await scored(0.9, null)).toMatchObject({ outcome: "accepted" });
  expect(await scored(0.1, null)).toMatchObject({ outcome: "refused" });
});

test("hCaptcha's score, where 1 means a threat, is not read as a probability of a human", async () => {
  expect(await verify(provider.issue({ score: 0.01 }), { type: "hcaptcha" })).toMatchObject({
    outcome: "accepted",
  });
});

const broken: [string, Misbehaviour][] = [
  ["answers 500", (_request, response) => sendJson(response, { success: false }, 500)],
  ["answers 503 in HTML", (_request, response) => void response.writeHead(503).end("<html>")],
  ["answers no JSON", (_request, response) => void response.end("success")],
  ["answers JSON without a verdict", (_request, response) => sendJson(response, { success: "true" })],
  ["answers an empty body", (_request, response) => void response.end()],
  ["lies: success with an error status", (_request, response) => sendJson(response, { success: true }, 403)],
  ["blames itself", (_request, response) => refusedWith(response, "internal-error")],
  ["never answers", () => {}],
  ["never ends its answer", (_request, response) => void response.write('{"success": tr')],
  ["answers without end", (_request, response) => void response.end(`{"a":"${"x".repeat(100_000)}"}`)],
  ["cuts the connection", (request) => void request.socket.destroy()],
  ["redirects", (_request, response) => void response.writeHead(307, { location: provider.url }).end()],
];
const refusedWith = (response: Parameters<Misbehaviour>[1], code: string) =>
  sendJson(response, { success: false, "error-codes": [code] });

test.each(broken)("a provider that %s gives no verdict", async (_name, misbehaviour) => {
  provider.behave(misbehaviour);
  expect(await verify("token", {}, 500)).toMatchObject({ outcome: "unavailable" });
});

test("the secret is not sent along with redirects", async () => {
  const before = provider.requests.length;
  provider.behave((_request, response) => void response.writeHead(307, { location: provider.url }).end());
  await verify("token");
  expect(provider.requests).toHaveLength(before + 1);
});

test("a refusal is understood whatever else the answer contains", async () => {
  for (const codes of [["timeout-or-duplicate"], ["something-new"], [], "none", [7, null], undefined]) {
    provider.behave((_request, response) => sendJson(response, { success: false, "error-codes": codes }));
    expect(await verify("token"), String(codes)).toMatchObject({ outcome: "refused" });
  }
  provider.behave((_request, response) =>
    sendJson(response, { success: false, "error-codes": ["invalid-input-response"] }, 400),
  );
  expect(await verify("token")).toMatchObject({ outcome: "refused" });
});

test("a provider that does not listen gives no verdict, and a very long token is not sent", async () => {
  const closed = createServer().listen(0, "127.0.0.1");
  await once(closed, "listening");
  const { port } = closed.address() as AddressInfo;
  await new Promise((resolve) => void closed.close(resolve));
  expect(await verify("token", { url: `http://127.0.0.1:${port}/siteverify` })).toEqual({
    outcome: "unavailable",
    reason: "ECONNREFUSED",
  });
  const before = provider.requests.length;
  expect(await verify("x".repeat(20_000))).toMatchObject({ outcome: "refused" });
  expect(provider.requests).toHaveLength(before);
});
