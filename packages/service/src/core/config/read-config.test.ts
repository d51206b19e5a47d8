import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { problemsOf } from "../../../testing/config-problems.js";
import { describeConfig, readConfig } from "../config.js";

test("without variables every setting has its documented default", () => {
  expect(readConfig({})).toMatchObject({
    databaseUrl: undefined,
    https: true,
    publicUrl: undefined,
    tlsNames: [],
    drainSeconds: 0,
    warnings: [],
    dataDirectory: "./data",
    host: "127.0.0.1",
    httpsPort: 8443,
    httpPort: 8080,
    allowPlainHttp: false,
    demo: undefined,
    trustedProxies: [],
    limits: {},
    logLevel: "info",
    shutdownSeconds: 20,
  });
});

test("an empty variable counts as unset, because compose files pass unset variables on as empty", () => {
  const empty = Object.fromEntries(describeConfig().map(({ name }) => [name, ""]));
  delete empty["DATABASE_URL"];
  expect(readConfig(empty)).toEqual(readConfig({}));
});

test("all problems are reported together, including unknown variables", () => {
  const problems = problemsOf({
    GATEHOUSE_HTTPS_PORT: "http",
    GATEHOUSE_ALLOW_PLAIN_HTTP: "yes",
    GATEHOUSE_TLS_CERT: "cert.pem",
    GATEHOUSE_HTTPSPORT: "1",
    LOG_LEVEL: "loud",
    HOME: "/root",
  });
  expect(problems).toHaveLength(5);
  expect(problems.join("\n")).toContain("GATEHOUSE_HTTPSPORT is not a variable of Gatehouse");
  expect(problems.join("\n")).toContain("GATEHOUSE_TLS_CERT and GATEHOUSE_TLS_KEY must be set together");
});

describe("each reader accepts valid values and explains invalid ones", () => {
  const right: [string, string, object][] = [
    ["DATABASE_URL", "postgres://u:p@db/gatehouse", { databaseUrl: "postgres://u:p@db/gatehouse" }],
    ["GATEHOUSE_DATABASE_CONNECTIONS", "20", { databaseConnections: 20 }],
    ["GATEHOUSE_DATA_DIR", "/var/lib/gatehouse", { dataDirectory: "/var/lib/gatehouse" }],
    ["GATEHOUSE_HOST", "::", { host: "::" }],
    ["GATEHOUSE_HTTP_HOST", "127.0.0.1", { httpHost: "127.0.0.1" }],
    ["GATEHOUSE_HTTP_NAMES", "gate1.example.com", { httpNames: ["gate1.example.com"] }],
    ["GATEHOUSE_HTTP_PORT", "0", { httpPort: 0 }],
    ["GATEHOUSE_TRUST_PROXY", "10.0.0.0/8, ::1", { trustedProxies: ["10.0.0.0/8", "::1"] }],
    ["GATEHOUSE_ALLOW_PLAIN_HTTP", "on", { allowPlainHttp: true }],
    ["GATEHOUSE_DEMO", "off", { demo: false }],
    ["LOG_LEVEL", "debug", { logLevel: "debug" }],
    [
      "GATEHOUSE_LIMITS",
      "submitLead=1000/60,importTransactions=6000/30",
      {
        limits: {
          submitLead: { requests: 1000, windowSeconds: 60 },
          importTransactions: { requests: 6000, windowSeconds: 30 },
        },
      },
    ],
    ["GATEHOUSE_SECRET_KEY", Buffer.alloc(32, 9).toString("base64"), { secretKey: Buffer.alloc(32, 9) }],
    ["GATEHOUSE_RECEIPTS", "on", { receipts: true }],
    ["GATEHOUSE_HCAPTCHA_URL", "http://127.0.0.1:9/verify", { hcaptchaUrl: "http://127.0.0.1:9/verify" }],
    ["GATEHOUSE_OIDC_NAME", "Example ID", { oidcName: "Example ID" }],
    ["GATEHOUSE_OIDC_TRUST_EMAIL", "on", { oidcTrustEmail: true }],
    ["GATEHOUSE_SHUTDOWN_SECONDS", "5", { shutdownSeconds: 5 }],
    ["GATEHOUSE_DRAIN_SECONDS", "15", { drainSeconds: 15 }],
    ["GATEHOUSE_PUBLIC_URL", "https://Gate.example.com/", { publicUrl: "https://gate.example.com" }],
    ["GATEHOUSE_PUBLIC_URL", "https://gate.example.com:8443", { publicUrl: "https://gate.example.com:8443" }],
    [
      "GATEHOUSE_TLS_NAMES",
      "gate.example.com, *.gate.example.com,192.0.2.7,::1,münchen.example",
      { tlsNames: ["gate.example.com", "*.gate.example.com", "192.0.2.7", "::1", "münchen.example"] },
    ],
    ["GATEHOUSE_EMBEDDED_DATABASE", "on", { databaseUrl: undefined }],
    ["GATEHOUSE_BACKUP_DIR", "/backups", { backupDirectory: "/backups", backupEveryMs: 86_400_000 }],
  ];
  test.each(right)("%s=%s", (name, text, expected) => {
    expect(readConfig({ [name]: text })).toMatchObject(expected);
  });

  const wrong: [string, string, RegExp][] = [
    ["DATABASE_URL", "mysql://db", /must start with postgres/],
    ["GATEHOUSE_DATABASE_CONNECTIONS", "1", /from 2 to 500/],
    ["GATEHOUSE_HTTPS_PORT", "65536", /from 0 to 65535/],
    ["GATEHOUSE_HTTP_PORT", "8e3", /whole number/],
    ["GATEHOUSE_TRUST_PROXY", "proxy.local", /addresses or CIDR ranges/],
    ["GATEHOUSE_TRUST_PROXY", "10.0.0.0/33", /addresses or CIDR ranges/],
    ["GATEHOUSE_ALLOW_PLAIN_HTTP", "true", /must be on or off/],
    ["GATEHOUSE_DEMO", "1", /must be on or off/],
    ["LOG_LEVEL", "INFO", /must be one of fatal/],
    ["GATEHOUSE_LIMITS", "submitLead=1000", /must look like/],
    ["GATEHOUSE_LIMITS", "submitLeads=1000/60", /the operations are submitLead/],
    ["GATEHOUSE_LIMITS", "submitLead=0/60", /above 0/],
    ["GATEHOUSE_LIMITS", "submitLead=0/60,all=1/1,5", /above 0.*names "all".*must look like/],
    ["GATEHOUSE_HTTPS_PORT", "8080", /must differ/],
    ["GATEHOUSE_SECRET_KEY", "short", /32 bytes in base64/],
    ["GATEHOUSE_TURNSTILE_URL", "ftp://x", /must be an http\(s\) address/],
    ["GATEHOUSE_SHUTDOWN_SECONDS", "0", /from 1 to 600/],
    ["GATEHOUSE_DRAIN_SECONDS", "601", /from 0 to 600/],
    ["GATEHOUSE_PUBLIC_URL", "http://gate.example.com", /https origin without a path/],
    ["GATEHOUSE_PUBLIC_URL", "https://gate.example.com/gatehouse", /https origin without a path/],
    ["GATEHOUSE_PUBLIC_URL", "https://gate.example.com?x=1", /https origin without a path/],
    ["GATEHOUSE_PUBLIC_URL", "https://user@gate.example.com", /https origin without a path/],
    ["GATEHOUSE_PUBLIC_URL", "gate.example.com", /https origin without a path/],
    [
      "GATEHOUSE_PUBLIC_URL",
      `https://${"a.".repeat(127)}com`,
      /host name of 257 characters; the maximum is 253/,
    ],
    ["GATEHOUSE_TLS_NAMES", "gate.example.com;other", /must list names or addresses/],
    ["GATEHOUSE_TLS_NAMES", "https://gate.example.com", /must list names or addresses/],
    ["GATEHOUSE_TLS_NAMES", "gate.example.com,", /must list names or addresses/],
    ["GATEHOUSE_TLS_NAMES", Array(101).fill("a.example").join(","), /at most 100/],
    ["GATEHOUSE_HTTPS", "no", /must be on or off/],
    ["GATEHOUSE_BACKUP_DIR", "./data/backups", /is in the data folder/],
    ["GATEHOUSE_BACKUP_DIR", "data", /is in the data folder/],
    ["GATEHOUSE_BACKUP_KEEP", "7", /without GATEHOUSE_BACKUP_DIR/],
  ];
  test.each(wrong)("%s=%s is rejected", (name, text, problem) => {
    const problems = problemsOf({ [name]: text });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(problem);
    expect(problems[0]).toContain(name);
  });
});

test("the message does not repeat a rejected secret", () => {
  expect(
    problemsOf({ GATEHOUSE_SECRET_KEY: "hunter2", DATABASE_URL: "mysql://u:hunter2@db" }).join(),
  ).not.toContain("hunter2");
});

test("port 0 can be set for both ports", () => {
  expect(readConfig({ GATEHOUSE_HTTPS_PORT: "0", GATEHOUSE_HTTP_PORT: "0" })).toMatchObject({ httpPort: 0 });
});

test("the example file contains every variable", async () => {
  const example = await readFile(new URL("../../../../../.env.example", import.meta.url), "utf8");
  const named = example.split("\n").map((line) => line.split("=")[0]);
  expect(named).toEqual(expect.arrayContaining(describeConfig().map(({ name }) => `#${name}`)));
});

test("settings that contradict each other are rejected with what to do about it", () => {
  const httpsOff = { GATEHOUSE_HTTPS: "off" };
  const trusted = { ...httpsOff, GATEHOUSE_TRUST_PROXY: "10.0.0.0/8" };
  const files = { GATEHOUSE_TLS_CERT: "cert.pem", GATEHOUSE_TLS_KEY: "key.pem" };
  expect(problemsOf(httpsOff)).toEqual([expect.stringContaining("GATEHOUSE_TRUST_PROXY")]);
  expect(problemsOf({ ...httpsOff, GATEHOUSE_ALLOW_PLAIN_HTTP: "off" })).toHaveLength(1);
  expect(problemsOf({ ...trusted, ...files })).toEqual([
    expect.stringContaining("GATEHOUSE_TLS_CERT has no use"),
  ]);
  expect(problemsOf({ ...trusted, GATEHOUSE_TLS_NAMES: "a.example" })).toHaveLength(1);
  const backups = { GATEHOUSE_BACKUP_DIR: "./data.backups" };
  expect(readConfig({ ...backups, GATEHOUSE_BACKUP_AT: "03:05" })).toMatchObject({ backupAtMinute: 185 });
  expect(readConfig({ ...backups, GATEHOUSE_BACKUP_EVERY: "90m" })).toMatchObject({
    backupEveryMs: 5_400_000,
  });
  for (const [name, text] of [
    ...[
      ["EVERY", "4m"],
      ["EVERY", "32d"],
      ["EVERY", "often"],
      ["AT", "24:00"],
      ["AT", "3:00"],
    ],
    ...[
      ["KEEP", "0"],
      ["KEEP", "366"],
      ["VERIFY", "no"],
    ],
  ])
    expect(problemsOf({ ...backups, [`GATEHOUSE_BACKUP_${name}`]: text as string })).toHaveLength(1);
  expect(problemsOf({ ...backups, GATEHOUSE_BACKUP_AT: "03:00", GATEHOUSE_BACKUP_EVERY: "6h" })).toEqual([
    expect.stringContaining("Unset one of them"),
  ]);
  expect(problemsOf({ ...backups, DATABASE_URL: "postgres://u@db/gatehouse" })).toEqual([
    expect.stringMatching(/GATEHOUSE_BACKUP_DIR.*embedded.*back-up-and-restore\.md/),
  ]);
  expect(problemsOf({ ...files, GATEHOUSE_TLS_NAMES: "a.example" })).toEqual([
    expect.stringContaining("GATEHOUSE_TLS_NAMES is for the generated certificate"),
  ]);
  expect(problemsOf(trusted)).toEqual([]);
  expect(problemsOf({ ...httpsOff, GATEHOUSE_ALLOW_PLAIN_HTTP: "on" })).toEqual([]);
  // A port that is not opened cannot conflict.
  expect(problemsOf({ ...trusted, GATEHOUSE_HTTPS_PORT: "8080" })).toEqual([]);
});

test("every variable has a description for the documentation", () => {
  for (const { name, shownDefault, description } of describeConfig()) {
    expect(name).toMatch(/^(GATEHOUSE_[A-Z_]+|DATABASE_URL|LOG_(LEVEL|FORMAT)|OTEL_[A-Z_]+)$/);
    expect(shownDefault).not.toBe("");
    expect(description).toMatch(/\.$/);
  }
});

test("a sign-in provider needs an https or local issuer and all settings that belong to it", () => {
  const complete = {
    GATEHOUSE_OIDC_CLIENT_ID: "gatehouse",
    GATEHOUSE_PUBLIC_URL: "https://gate.example.com",
  };
  for (const issuer of [
    "https://login.example.com/realms/one",
    "http://127.0.0.1:9000",
    "http://localhost:9000",
  ])
    expect(readConfig({ ...complete, GATEHOUSE_OIDC_ISSUER: issuer })).toMatchObject({
      oidcIssuer: issuer,
      oidcClientId: "gatehouse",
    });
  for (const issuer of ["http://login.example.com", "login.example.com", "https://login.example.com/?a=b"])
    expect(() => readConfig({ ...complete, GATEHOUSE_OIDC_ISSUER: issuer })).toThrow(
      /https address of an issuer/,
    );
  expect(() => readConfig({ GATEHOUSE_OIDC_ISSUER: "https://login.example.com" })).toThrow(
    /OIDC_CLIENT_ID must be set together[^]*needs GATEHOUSE_PUBLIC_URL/,
  );
});
