import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { gatehouse } from "./command.js";
import { copyMadeDatabase, placeAt, startService, stop } from "./running-service.js";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "gatehouse-acceptance-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test("a wrong configuration reports all problems at once and exits with 1 before anything starts", async () => {
  const data = path.join(folder, "data");
  for (const command of [["serve"], ["organization", "list", "--json"]]) {
    const result = await gatehouse(command, {
      GATEHOUSE_DATA_DIR: data,
      GATEHOUSE_HTTPS_PORT: "https",
      GATEHOUSE_TRUST_PROXY: "everyone",
      GATEHOUSE_LIMIT: "submitLead=1/1",
    });
    expect(result.exitCode).toBe(1);
    expect(result.stdout).toBe("");
    for (const name of ["GATEHOUSE_HTTPS_PORT", "GATEHOUSE_TRUST_PROXY", "GATEHOUSE_LIMIT is not"])
      expect(result.stderr).toContain(name);
  }
  expect(existsSync(data)).toBe(false);
});

test("an unusable certificate is reported before anything starts, and dangerous switches at every start", async () => {
  const data = path.join(folder, "data");
  const result = await gatehouse(["serve"], {
    GATEHOUSE_DATA_DIR: data,
    GATEHOUSE_TLS_CERT: path.join(folder, "absent.pem"),
    GATEHOUSE_TLS_KEY: path.join(folder, "absent.key"),
    GATEHOUSE_ALLOW_PLAIN_HTTP: "on",
    GATEHOUSE_LIMITS: "submitLead=9/60",
    LOG_LEVEL: "silent",
  });
  expect(result.exitCode).toBe(1);
  expect(result.stdout).toContain("GATEHOUSE_ALLOW_PLAIN_HTTP is on");
  expect(result.stdout).toContain("GATEHOUSE_LIMITS replaces");
  expect(result.stderr).toMatch(/GATEHOUSE_TLS_CERT and GATEHOUSE_TLS_KEY cannot be used: .*absent/);
  expect(existsSync(data)).toBe(false);
});

test.each(["GATEHOUSE_HTTPS_PORT", "GATEHOUSE_HTTP_PORT"])(
  "a port that is in use is named with %s before a database is created",
  async (variable) => {
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const { port } = taken.address() as AddressInfo;
    const data = path.join(folder, "data");
    const result = await gatehouse(["serve"], {
      GATEHOUSE_DATA_DIR: data,
      GATEHOUSE_HTTPS_PORT: "0",
      GATEHOUSE_HTTP_PORT: "0",
      [variable]: String(port),
    });
    taken.close();
    expect(result.exitCode).toBe(1);
    expect(result.stderr).toContain(
      `Port ${port} on 127.0.0.1 is in use by another process. Set ${variable} to a free port.`,
    );
    expect(existsSync(data)).toBe(false);
  },
);

test("variables that Kubernetes sets for a Service called gatehouse are ignored, and a similar name gets a warning", async () => {
  const links = {
    GATEHOUSE_PORT: "tcp://10.96.0.17:8443",
    GATEHOUSE_SERVICE_HOST: "10.96.0.17",
    GATEHOUSE_SERVICE_PORT: "8443",
    GATEHOUSE_SERVICE_PORT_HTTPS: "8443",
    GATEHOUSE_PORT_8443_TCP: "tcp://10.96.0.17:8443",
    GATEHOUSE_PORT_8443_TCP_PROTO: "tcp",
    GATEHOUSE_PORT_8443_TCP_PORT: "8443",
    GATEHOUSE_PORT_8443_TCP_ADDR: "10.96.0.17",
    // From a Service called gatehouse-http.
    GATEHOUSE_HTTP_PORT: "tcp://10.96.0.18:8080",
  };
  const data = path.join(folder, "data");
  await copyMadeDatabase(data);
  const result = await gatehouse(["migrate", "--json"], { ...links, GATEHOUSE_DATA_DIR: data });
  expect(result.json.applied).not.toEqual([]);
  // Even if another problem prevents the start, the ignored variables are reported first.
  const served = await gatehouse(["serve"], {
    ...links,
    GATEHOUSE_HOST: "192.0.2.1",
    GATEHOUSE_DATA_DIR: data,
  });
  expect(served.stdout).toMatch(
    /"level":"warn".*GATEHOUSE_HTTP_PORT=tcp:\/\/10.96.0.18:8080 is the address of a/,
  );
  expect(served.stderr).toContain("Correct GATEHOUSE_HOST");
  expect(served.exitCode).toBe(1);
});

test("names that are added later get into the certificate, signed by the CA that clients already trust", async () => {
  await copyMadeDatabase(path.join(folder, "data"));
  const start = async (variables: Record<string, string>) => {
    const place = placeAt(folder, variables);
    const service = await startService(place);
    await stop(service);
    const file = path.join(place.variables["GATEHOUSE_DATA_DIR"] as string, "tls", "cert.pem");
    return { authority: service.ca, certificate: new X509Certificate(await readFile(file)) };
  };
  const before = await start({});
  expect(before.certificate.checkHost("gate.example.com")).toBeUndefined();
  const after = await start({
    GATEHOUSE_TLS_NAMES: "gate.internal,192.0.2.7",
    GATEHOUSE_PUBLIC_URL: "https://gate.example.com:9443",
  });
  expect(after.authority).toBe(before.authority);
  for (const name of ["localhost", "gate.internal", "gate.example.com"])
    expect(after.certificate.checkHost(name)).toBe(name);
  expect(after.certificate.checkIP("192.0.2.7")).toBe("192.0.2.7");
});

test.each([
  [{ DATABASE_URL: "" }, "DATABASE_URL is set but empty"],
  [{ DATABSE_URL: "postgres://db/x" }, "DATABSE_URL is set, but DATABASE_URL is the variable"],
  [{ GATEHOUSE_EMBEDDED_DATABASE: "off" }, "GATEHOUSE_EMBEDDED_DATABASE is off and DATABASE_URL is not set"],
])("a configuration mistake never creates a new, empty database: %o", async (variables, problem) => {
  const data = path.join(folder, "data");
  const result = await gatehouse(["serve"], {
    ...(variables as Record<string, string>),
    GATEHOUSE_DATA_DIR: data,
  });
  expect(result).toMatchObject({ exitCode: 1, stdout: "" });
  expect(result.stderr).toContain(problem);
  expect(result.stderr).toContain("or GATEHOUSE_EMBEDDED_DATABASE=on");
  expect(existsSync(data)).toBe(false);
});

test.each(["pa/ss", "p@ss"])(
  "a password that breaks the URL gets an error that does not contain it: %s",
  async (password) => {
    const DATABASE_URL = `postgres://gatehouse:${password}@127.0.0.1:1/gatehouse`;
    const result = await gatehouse(["organization", "list"], { DATABASE_URL });
    expect(result.exitCode).toBe(1);
    expect(result.stderr).toMatch(
      /^The configuration is invalid:\n {2}- DATABASE_URL has a character .*percent-encode.*\n$/,
    );
    expect(result.stderr).not.toContain(password);
  },
);

test("a .env file in the folder is read, and the environment takes precedence", async () => {
  await writeFile(path.join(folder, ".env"), "LOG_LEVEL=loud\nGATEHOUSE_DEMO=perhaps\n");
  const result = await gatehouse(["organization", "list"], { LOG_LEVEL: "info" }, { cwd: folder });
  expect(result.exitCode).toBe(1);
  expect(result.stderr).toContain("GATEHOUSE_DEMO must be on or off");
  expect(result.stderr).not.toContain("LOG_LEVEL");
});

test.each([
  ["absent.csv", "There is no file or folder absent.csv.\n"],
  [".", ". is a folder, not a file\n"],
])("a missing file, or a folder instead of a file, gets a clear error: %s", async (file, words) => {
  const organization = "00000000-0000-7000-8000-000000000000";
  const result = await gatehouse(["location", "import", "--organization", organization, file], {
    GATEHOUSE_DATA_DIR: path.join(folder, "data"),
  });
  expect(result).toMatchObject({ exitCode: 1, stderr: words });
});

test("an unreachable database gets a clear error", async () => {
  const result = await gatehouse(["organization", "list"], { DATABASE_URL: "postgres://127.0.0.1:1/none" });
  expect(result.exitCode).toBe(1);
  expect(result.stderr).toMatch(/^The database cannot be reached: .*ECONNREFUSED.*Check DATABASE_URL/);
});
