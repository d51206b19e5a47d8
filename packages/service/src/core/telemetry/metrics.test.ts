import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { scrape } from "../../../testing/metric-samples.js";

const gatehouse = useApp({ limits: { listLocations: { requests: 1, windowSeconds: 60 } } });

test("requests rejected by a rate limit are counted by operation", async () => {
  const { apiKey } = await gatehouse.tenant();
  for (let request = 0; request < 4; request += 1)
    await gatehouse.send({ url: "/integrations/locations", key: apiKey });
  const { body } = await gatehouse.app.inject({ url: "/metrics" });
  expect(body).toContain('gatehouse_requests_limited_total{operation="listLocations"} 3');
});

test("gatehouse_build_info has the release and the Node version", async () => {
  const manifest = readFileSync(new URL("../../../package.json", import.meta.url), "utf8");
  const { version } = JSON.parse(manifest) as { version: string };
  const samples = (await scrape(gatehouse.app)).filter(({ name }) => name === "gatehouse_build_info");
  expect(samples).toEqual([
    { name: "gatehouse_build_info", labels: { version, node: process.versions.node }, value: 1 },
  ]);
});

test("/metrics is not served through a proxy", async () => {
  const statusWith = async (headers: Record<string, string>) =>
    (await gatehouse.app.inject({ url: "/metrics", headers })).statusCode;
  expect(await statusWith({})).toBe(200);
  expect(await statusWith({ "x-forwarded-for": "203.0.113.7", "x-forwarded-proto": "http" })).toBe(404);
  expect(await statusWith({ "x-forwarded-for": "203.0.113.7" })).toBe(404);
});
