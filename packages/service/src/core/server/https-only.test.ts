import { describe, expect, test } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { useWire } from "../../../testing/wire.js";

const proxy = "10.0.0.1";
const stranger = "203.0.113.7";
const locations = "/integrations/locations";

describe("behind trusted proxies", () => {
  const gatehouse = useApp({ trustedProxies: [proxy, "10.1.0.0/16"] });
  const statusOf = async (remoteAddress: string, proto: string | undefined, url = locations) => {
    const { apiKey } = await gatehouse.tenant();
    const headers = proto === undefined ? {} : { "x-forwarded-proto": proto };
    return (await gatehouse.app.inject({ url, remoteAddress, headers: { "x-api-key": apiKey, ...headers } }))
      .statusCode;
  };

  const docs = async (remoteAddress: string, headers: Record<string, string>) =>
    (await gatehouse.app.inject({ url: "/docs/", remoteAddress, headers })).statusCode;

  /** @covers reading 33 */
  test("X-Forwarded-Proto is trusted only from a trusted proxy", async () => {
    expect(await statusOf(proxy, "https")).toBe(200);
    expect(await statusOf("10.1.2.3", "https")).toBe(200);
    expect(await statusOf(stranger, "https")).toBe(403);
    expect(await statusOf("127.0.0.1", "https")).toBe(403);
  });

  /** @covers reading 33 */
  test("the value added by the nearest proxy counts, so a client cannot add its own", async () => {
    expect(await statusOf(proxy, "https, http")).toBe(403);
    expect(await statusOf(proxy, "http, https")).toBe(200);
    expect(await statusOf(proxy, "HTTPS")).toBe(200);
    for (const proto of ["http", "wss", "", undefined]) expect(await statusOf(proxy, proto)).toBe(403);
  });

  test("/metrics is not served to requests through a TLS proxy", async () => {
    expect(await statusOf(proxy, "https", "/metrics")).toBe(404);
    expect(await statusOf(stranger, undefined, "/metrics")).toBe(200);
  });

  test("pages over plain HTTP are served to the same machine only, not through a proxy on it", async () => {
    expect(await docs("127.0.0.1", {})).toBe(200);
    expect(await docs("::1", {})).toBe(200);
    expect(await docs(stranger, {})).toBe(403);
    expect(await docs(proxy, { "x-forwarded-for": stranger })).toBe(403);
    expect(await docs(proxy, { "x-forwarded-for": stranger, "x-forwarded-proto": "https" })).toBe(200);
    // An untrusted client cannot pose as local with headers.
    expect(await docs(stranger, { "x-forwarded-for": "127.0.0.1" })).toBe(403);
  });
});

describe("without a proxy", () => {
  const wire = useWire();
  const gatehouse = useApp({ trustedProxies: [] }, wire.listen);
  const say = async (plain: boolean, path: string, ...headers: string[]) => {
    const { apiKey } = await gatehouse.tenant();
    const lines = [`GET ${path} HTTP/1.1`, "Host: localhost", `X-API-KEY: ${apiKey}`, ...headers];
    const [answer] = await wire.say(`${lines.join("\r\n")}\r\nConnection: close\r\n\r\n`, { plain });
    return answer?.status;
  };

  /** @covers R31 */
  test("the socket decides, whatever headers a client sends", async () => {
    expect(await say(false, locations)).toBe(200);
    expect(await say(false, locations, "X-Forwarded-Proto: http")).toBe(200);
    expect(await say(true, locations)).toBe(403);
    expect(await say(true, locations, "X-Forwarded-Proto: https")).toBe(403);
    expect(await say(true, locations, "Forwarded: proto=https", "X-Forwarded-Ssl: on")).toBe(403);
  });

  test("both ports serve health and the API description; only the plain port serves metrics", async () => {
    for (const path of ["/livez", "/readyz", "/openapi.json", "/docs/"])
      for (const plain of [true, false]) expect(await say(plain, path), path).toBe(200);
    expect(await say(true, "/metrics")).toBe(200);
    expect(await say(false, "/metrics")).toBe(404);
  });
});

describe("behind a proxy that connects over TLS", () => {
  const wire = useWire();
  const gatehouse = useApp({ trustedProxies: ["127.0.0.1"] }, wire.listen);

  /** @covers reading 33 */
  test("a client that used plain HTTP to the proxy is rejected", async () => {
    const { apiKey } = await gatehouse.tenant();
    const say = async (proto: string) =>
      await wire.say(
        `GET ${locations} HTTP/1.1\r\nHost: localhost\r\nX-API-KEY: ${apiKey}\r\n${proto}Connection: close\r\n\r\n`,
      );
    expect(await say("X-Forwarded-Proto: http\r\n")).toMatchObject([{ status: 403 }]);
    expect(await say("X-Forwarded-Proto: https\r\n")).toMatchObject([{ status: 200 }]);
    expect(await say("")).toMatchObject([{ status: 200 }]);
  });
});

describe("with GATEHOUSE_ALLOW_PLAIN_HTTP", () => {
  const gatehouse = useApp({ allowPlainHttp: true });

  test("the API answers over plain HTTP and still requires a key", async () => {
    const { apiKey } = await gatehouse.tenant();
    const headers = { "x-forwarded-proto": "http" };
    expect((await gatehouse.send({ url: locations, headers, key: apiKey })).status).toBe(200);
    expect((await gatehouse.send({ url: locations, headers })).status).toBe(401);
  });
});
