import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { gatehouse } from "./command.js";
import { databaseServers } from "./running-service.js";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "gatehouse-acceptance-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test("a wrong configuration reports all problems together and ends with 1 before anything starts", async () => {
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

test("a certificate that cannot be used is reported before anything starts, and dangerous switches at every start", async () => {
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

test("a port that is taken is named with the variable to change, and the database is stopped again", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { port } = taken.address() as AddressInfo;
  const data = path.join(folder, "data");
  const result = await gatehouse(["serve"], {
    GATEHOUSE_DATA_DIR: data,
    GATEHOUSE_HTTPS_PORT: "0",
    GATEHOUSE_HTTP_PORT: String(port),
  });
  taken.close();
  expect(result.exitCode).toBe(1);
  expect(result.stderr).toContain(
    `Port ${port} on 127.0.0.1 is taken by another process. Set GATEHOUSE_HTTP_PORT to a free one.`,
  );
  expect(await databaseServers(data)).toEqual([]);
});

test("a .env file in the folder is read, and the environment wins over it", async () => {
  await writeFile(path.join(folder, ".env"), "LOG_LEVEL=loud\nGATEHOUSE_DEMO=perhaps\n");
  const result = await gatehouse(["organization", "list"], { LOG_LEVEL: "info" }, { cwd: folder });
  expect(result.exitCode).toBe(1);
  expect(result.stderr).toContain("GATEHOUSE_DEMO must be on or off");
  expect(result.stderr).not.toContain("LOG_LEVEL");
});

test("a file that is not there is named in words", async () => {
  const organization = "00000000-0000-7000-8000-000000000000";
  const result = await gatehouse(["location", "import", "--organization", organization, "absent.csv"], {
    GATEHOUSE_DATA_DIR: path.join(folder, "data"),
  });
  expect(result.exitCode).toBe(1);
  expect(result.stderr).toBe("There is no file or folder absent.csv.\n");
});

test("a database that cannot be reached is said to be so", async () => {
  const result = await gatehouse(["organization", "list"], { DATABASE_URL: "postgres://127.0.0.1:1/none" });
  expect(result.exitCode).toBe(1);
  expect(result.stderr).toMatch(/^The database cannot be reached: .*ECONNREFUSED.*Check DATABASE_URL/);
});
