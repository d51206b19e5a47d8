import { expect, test } from "vitest";
import { consoleRoot, signedIn } from "../../../testing/console.js";
import { useApp } from "../../../testing/harness.js";

const publicUrl = "https://gate.example.com";
const gatehouse = useApp({ publicUrl });

test("the OpenAPI document lists the public address first", async () => {
  const { servers } = (await gatehouse.send({ url: "/openapi.json" })).json;
  expect(servers.map(({ url }: { url: string }) => url)).toEqual([publicUrl, "/"]);
});

test("the console gets the public address with its session", async () => {
  const operator = await signedIn(gatehouse, "operator");
  expect((await operator.get("/session")).json.publicUrl).toBe(publicUrl);
});

test.each([
  ["the page at the public address, behind a proxy that uses another host name", publicUrl, 200],
  ["the page at the requested address", "https://10.0.0.7:8080", 200],
  ["a sibling of the public address", "https://other.example.com", 403],
  ["the plain HTTP page of the public name", "http://gate.example.com", 403],
  ["another port of the public name", `${publicUrl}:444`, 403],
  ["a name with the public name as its prefix", `${publicUrl}.evil.example`, 403],
])("a write without Sec-Fetch-Site from %s", async (_what, origin, status) => {
  const { organizationId } = await gatehouse.tenant();
  const admin = await signedIn(gatehouse, "admin", organizationId);
  const answer = await gatehouse.send({
    method: "POST",
    url: `${consoleRoot}/organizations/${organizationId}/api-keys`,
    headers: { cookie: admin.cookie, "content-type": "application/json", host: "10.0.0.7:8080", origin },
    payload: JSON.stringify({ name: "new" }),
  });
  expect(answer.status).toBe(status);
});
