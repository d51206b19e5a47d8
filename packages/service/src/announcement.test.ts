import { expect, test } from "vitest";
import { announcement, announcementText } from "./announcement.js";
import { readConfig } from "./core/config.js";

const operator = { email: "operator@localhost", signInToken: "token" };
const ports = { httpsPort: 8443, httpPort: 8080 };

function announced(
  variables: Record<string, string>,
  opened: { httpsPort: number | null; httpPort: number },
) {
  const config = readConfig(variables);
  const caFile = opened.httpsPort === null ? undefined : "/data/tls/ca.pem";
  return announcement({ version: "1", config, ports: opened, caFile, demo: undefined, operator });
}

test("links contain the address that the service listens on", () => {
  expect(announced({ GATEHOUSE_HOST: "0.0.0.0" }, ports)).toEqual({
    version: "1",
    consoleAddress: "https://localhost:8443",
    apiAddress: "https://localhost:8443",
    referenceAddress: "https://localhost:8443/docs",
    plainAddress: "http://localhost:8080",
    caFile: "/data/tls/ca.pem",
    demo: null,
    signIn: { email: "operator@localhost", link: "https://localhost:8443/sign-in#token=token" },
  });
});

test("links contain the public address if one is set; health and metrics stay on the plain port", () => {
  expect(announced({ GATEHOUSE_PUBLIC_URL: "https://gate.example.com" }, ports)).toMatchObject({
    consoleAddress: "https://gate.example.com",
    apiAddress: "https://gate.example.com",
    referenceAddress: "https://gate.example.com/docs",
    plainAddress: "http://127.0.0.1:8080",
    caFile: "/data/tls/ca.pem",
    signIn: { link: "https://gate.example.com/sign-in#token=token" },
  });
});

test("without HTTPS and a public address, links use the plain port", () => {
  const variables = { GATEHOUSE_HTTPS: "off", GATEHOUSE_ALLOW_PLAIN_HTTP: "on", GATEHOUSE_HOST: "::1" };
  expect(announced(variables, { httpsPort: null, httpPort: 8080 })).toMatchObject({
    apiAddress: "http://[::1]:8080",
    plainAddress: "http://[::1]:8080",
    caFile: null,
  });
});

test("on the same machine, the sign-in link avoids the certificate warning", () => {
  const shown = (variables: Record<string, string>) =>
    announcementText(announced(variables, ports), (text) => text);
  expect(shown({})).toContain("http://127.0.0.1:8080/sign-in#token=token");
  expect(shown({ GATEHOUSE_HOST: "::1" })).toContain("http://[::1]:8080/sign-in#token=token");
  // The plain port answers only on this machine.
  expect(shown({ GATEHOUSE_HOST: "0.0.0.0" })).toContain("https://localhost:8443/sign-in#token=token");
  expect(shown({ GATEHOUSE_PUBLIC_URL: "https://gate.example.com" })).toContain(
    "https://gate.example.com/sign-in#token=token",
  );
});

test("the links to health and metrics use the plain port", () => {
  const variables = { GATEHOUSE_HOST: "192.0.2.7", GATEHOUSE_HTTP_HOST: "127.0.0.1" };
  expect(announced(variables, ports)).toMatchObject({
    apiAddress: "https://192.0.2.7:8443",
    plainAddress: "http://127.0.0.1:8080",
  });
});
