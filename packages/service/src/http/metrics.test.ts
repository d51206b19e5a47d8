import { expect, test } from "vitest";
import { useApp } from "../../testing/harness.js";

const gatehouse = useApp({ limits: { listLocations: { requests: 1, windowSeconds: 60 } } });

test("requests refused by a limit are counted by operation", async () => {
  const { apiKey } = await gatehouse.tenant();
  for (let request = 0; request < 4; request += 1)
    await gatehouse.send({ url: "/integrations/locations", key: apiKey });
  const { body } = await gatehouse.app.inject({ url: "/metrics" });
  expect(body).toContain('gatehouse_requests_limited_total{operation="listLocations"} 3');
});
