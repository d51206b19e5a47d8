import { expect, it } from "vitest";
import { curlOf } from "./curl.js";

it("a request becomes a command that no shell reads into, without the key", () => {
  const command = curlOf("https://localhost:8443", {
    method: "POST",
    path: "/integrations/accounts",
    headers: { "content-type": "application/json", "x-api-key": "ghk_secret" },
    body: `{"name":"O'Neill $(rm -rf /)"}`,
  });
  expect(command).toBe(
    [
      "curl --cacert data/tls/ca.pem -X POST 'https://localhost:8443/integrations/accounts'",
      "-H 'content-type: application/json'",
      '-H "X-API-KEY: $GATEHOUSE_API_KEY"',
      String.raw`--data-binary '{"name":"O'\''Neill $(rm -rf /)"}'`,
    ].join(" \\\n  "),
  );
});

it("only the service's own authority has to be named", () => {
  const request = { method: "GET", path: "/integrations/locations", headers: {}, body: null };
  for (const origin of ["https://gatehouse.example.com", "http://localhost:8080"])
    expect(curlOf(origin, request)).toBe(`curl -X GET '${origin}/integrations/locations'`);
});
