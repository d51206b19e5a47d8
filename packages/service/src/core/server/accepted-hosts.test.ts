import { expect, test } from "vitest";
import { useApp } from "../../../testing/harness.js";

const gatehouse = useApp({
  publicUrl: "https://gate.example.com",
  tlsNames: ["*.parking.example.com"],
  httpNames: ["gate1.example.com"],
});

const shown = ["/metrics", "/docs/", "/console/api/session", "/"];
/** The receipt keys, health and the API description are public. */
const shownToAll = ["/livez", "/readyz", "/openapi.json"];

async function statusOf(url: string, host: string, headers: Record<string, string> = {}): Promise<number> {
  const answer = await gatehouse.app.inject({ url, headers: { host, ...headers } });
  return answer.statusCode;
}

test.each([
  "localhost:8080",
  "console.localhost:8080",
  "127.0.0.1:8080",
  "[::1]:8080",
  "10.0.0.11:8080",
  "gatehouse:8080",
  "gatehouse.parking.svc:8080",
  "gatehouse.parking.svc.cluster.local:8080",
  "gatehouse.internal:8080",
  "GATE.example.com",
  "gate1.example.com:8080",
  "north.parking.example.com",
])("the plain port is asked for by its own name: %s", async (host) => {
  for (const url of shown) expect(await statusOf(url, host), url).not.toBe(403);
  expect(await statusOf("/metrics", host)).toBe(200);
});

test.each([
  "attacker.example:8080",
  "127.0.0.1.attacker.example",
  "localhost.attacker.example",
  "gate1.example.com.attacker.example",
  "a.north.parking.example.com",
  "example.com",
])("DNS rebinding reads nothing from the plain port: %s", async (host) => {
  for (const url of shown) expect(await statusOf(url, host), url).toBe(403);
  for (const url of shownToAll) expect(await statusOf(url, host), url).toBe(200);
  const answer = await gatehouse.app.inject({ url: "/metrics", headers: { host } });
  expect(answer.json().errors).toEqual([expect.stringContaining("GATEHOUSE_HTTP_NAMES")]);
});

test("a page that uses DNS rebinding and proxy headers reads nothing from the plain port", async () => {
  const host = "attacker.example:8080";
  const asLocal = { "x-forwarded-host": "localhost" };
  for (const url of shown.filter((path) => path !== "/metrics"))
    expect(await statusOf(url, host, asLocal), url).toBe(403);
  for (const [name, value] of [
    ["x-forwarded-host", "localhost"],
    ["x-forwarded-proto", "https"],
    ["x-forwarded-for", "127.0.0.1"],
    ["x-forwarded-port", "443"],
  ] as const)
    for (const asked of [host, "localhost"])
      expect(await statusOf("/metrics", asked, { [name]: value }), name).toBe(404);
});

test("over HTTPS any host name is accepted, because the certificate protects it", async () => {
  const headers = { "x-forwarded-proto": "https" };
  expect(await statusOf("/docs/", "attacker.example", headers)).toBe(200);
});
