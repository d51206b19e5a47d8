import { expect, it } from "vitest";
import { curlOf } from "./curl.js";

const api = {
  origin: "https://gatehouse.example.com",
  plainOrigin: "http://gatehouse.example.com",
  authority: null,
};
const list = {
  method: "GET",
  path: "/integrations/locations",
  isSecure: true,
  key: "none",
  headers: {},
  body: null,
  trailingSpaces: 0,
} as const;

it("a request becomes a command that no shell reads into, without the key", () => {
  const command = curlOf(api, {
    ...list,
    method: "POST",
    path: "/integrations/accounts",
    key: "full",
    headers: { "content-type": "application/json", "x-api-key": "ghk_secret" },
    body: `{"name":"O'Neill $(rm -rf /)"}`,
  });
  expect(command).toBe(
    [
      "curl -X POST 'https://gatehouse.example.com/integrations/accounts'",
      "-H 'content-type: application/json'",
      '-H "X-API-KEY: $GATEHOUSE_API_KEY"',
      String.raw`--data-binary '{"name":"O'\''Neill $(rm -rf /)"}'`,
    ].join(" \\\n  "),
  );
});

it("only an authority of the service's own has to be named, and only over HTTPS", () => {
  const own = { ...api, authority: "-----BEGIN CERTIFICATE-----" };
  expect(curlOf(api, list)).toBe(`curl -X GET '${api.origin}/integrations/locations'`);
  expect(curlOf(own, list)).toBe(
    `curl --cacert gatehouse-ca.pem -X GET '${api.origin}/integrations/locations'`,
  );
  expect(curlOf(own, { ...list, isSecure: false })).toBe(
    `curl -X GET '${api.plainOrigin}/integrations/locations'`,
  );
});
