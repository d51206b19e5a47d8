import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { readConfig } from "../packages/service/src/config.js";
import { unknownVariables } from "./testing/known-variables.js";

interface Service {
  image: string;
  restart: string;
  environment: Record<string, string>;
  healthcheck?: { test: string[] };
  stop_grace_period: string;
  ports?: string[];
}

const text = readFileSync(new URL("../compose.yaml", import.meta.url), "utf8");

/** The file as compose sees it, with these variables in the environment. */
function composeWith(variables: Record<string, string> = {}): { postgres: Service; gatehouse: Service } {
  return resolved(parse(text).services, variables) as ReturnType<typeof composeWith>;
}

function resolved(value: unknown, variables: Record<string, string>): unknown {
  if (typeof value === "string")
    return value.replaceAll(
      /\$\{(\w+):-([^}]*)\}/g,
      (_whole, name: string, otherwise: string) => variables[name] || otherwise,
    );
  if (Array.isArray(value)) return value.map((item) => resolved(item, variables));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolved(inner, variables)]));
}

test("as it is, it is a configuration that the service takes", () => {
  const { gatehouse } = composeWith();
  expect(unknownVariables(gatehouse.environment)).toEqual([]);
  const { databaseUrl = "", demo } = readConfig(gatehouse.environment);
  expect(new URL(databaseUrl)).toMatchObject({
    host: "postgres:5432",
    username: "gatehouse",
    pathname: "/gatehouse",
  });
  expect(demo).toBe(false);
});

test("a password of any characters reaches the database as it is", () => {
  const password = "p/a@s+s w:o#r%d?&[]";
  const { postgres, gatehouse } = composeWith({ POSTGRES_PASSWORD: password });
  expect(postgres.environment["POSTGRES_PASSWORD"]).toBe(password);
  const { databaseUrl = "" } = readConfig(gatehouse.environment);
  expect(decodeURIComponent(new URL(databaseUrl).password)).toBe(password);
});

test("behind a proxy it takes the variables that this needs", () => {
  const { gatehouse } = composeWith({
    GATEHOUSE_HTTPS: "off",
    GATEHOUSE_TRUST_PROXY: "172.16.0.0/12",
    GATEHOUSE_PUBLIC_URL: "https://gatehouse.example.com",
    GATEHOUSE_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
    GATEHOUSE_DRAIN_SECONDS: "10",
  });
  expect(readConfig(gatehouse.environment)).toMatchObject({
    trustedProxies: ["172.16.0.0/12"],
    publicUrl: "https://gatehouse.example.com",
  });
});

test("both come back after a restart of the machine, in exact versions, and have the time to stop in order", () => {
  const { postgres, gatehouse } = composeWith();
  for (const service of [postgres, gatehouse]) {
    expect(service.restart).toBe("unless-stopped");
    expect(service.image).toMatch(/:\d+\.\d+/);
  }
  const changelog = readFileSync(new URL("../CHANGELOG.md", import.meta.url), "utf8");
  const [, release] = /^## \[(\d+\.\d+\.\d+)\]/m.exec(changelog) ?? [];
  expect(gatehouse.image).toBe(`gatehouse:${release}`);
  const { GATEHOUSE_DRAIN_SECONDS, GATEHOUSE_SHUTDOWN_SECONDS } = gatehouse.environment;
  const needed = Number(GATEHOUSE_DRAIN_SECONDS) + Number(GATEHOUSE_SHUTDOWN_SECONDS);
  expect(Number.parseInt(gatehouse.stop_grace_period, 10)).toBeGreaterThan(needed);
  expect(postgres.healthcheck).toBeDefined();
});

test("the plain port, which tells metrics, is published to this machine only", () => {
  expect(composeWith().gatehouse.ports).toEqual(["8443:8443", "127.0.0.1:8080:8080"]);
});
