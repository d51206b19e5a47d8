import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startDatabase, type RigDatabase } from "./rigs/database.js";
import { flags, gatehouse } from "./command.js";
import { send } from "./requests.js";
import {
  leave,
  newPlaceWithDatabase,
  placeAt,
  startForTest,
  startService,
  stop,
  type Place,
} from "./running-service.js";

/** If all lasting data is in a database and in variables, as in most clusters, no file has to be written. */

let database: RigDatabase;
let other: Place;
let folder: string;
let secrets: string;
let variables: Record<string, string>;

/** A folder cannot be created below a file, not even by root. */
const impossibleFolder = "/dev/null/data";

beforeAll(async () => {
  database = await startDatabase();
  other = await newPlaceWithDatabase();
  secrets = await mkdtemp(path.join(tmpdir(), "gatehouse-secrets-"));
  const address = new URL(database.connectionString);
  const { password } = address;
  address.password = "";
  const file = async (name: string, text: string): Promise<string> => {
    await writeFile(path.join(secrets, name), `${text}\n`);
    return path.join(secrets, name);
  };
  variables = {
    DATABASE_URL_FILE: await file("url", address.href),
    GATEHOUSE_DATABASE_PASSWORD_FILE: await file("password", decodeURIComponent(password)),
    GATEHOUSE_SECRET_KEY_FILE: await file("key", Buffer.alloc(32, 3).toString("base64")),
    GATEHOUSE_EMBEDDED_DATABASE: "off",
    GATEHOUSE_DATA_DIR: impossibleFolder,
  };
});
afterAll(async () => {
  await database.leave();
  await leave(other);
  await rm(secrets, { recursive: true });
});
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "gatehouse-acceptance-"));
  return async () => {
    expect(await readdir(folder)).toEqual([]);
    await rm(folder, { recursive: true });
  };
});

async function newKey(): Promise<string> {
  const run = async (command: string[]) => (await gatehouse([...command, "--json"], variables)).json;
  await run(["migrate"]);
  const { uuid } = await run(["organization", "create", "--name", "Acme"]);
  return (await run(["api-key", "create", ...flags({ organization: uuid, name: "test" })])).key;
}

const account = { accounts: [{ tpReferenceId: "A-1", name: "Acme" }] };

test("behind a proxy that terminates TLS only the plain port is opened, and links use the public address", async () => {
  const key = await newKey();
  const publicUrl = "https://gatehouse.example.com";
  const service = await startForTest(
    placeAt(folder, {
      ...variables,
      GATEHOUSE_HTTPS: "off",
      GATEHOUSE_TRUST_PROXY: "127.0.0.1",
      GATEHOUSE_PUBLIC_URL: publicUrl,
      GATEHOUSE_DEMO: "on",
    }),
    { cwd: folder },
  );
  expect(service).toMatchObject({
    apiAddress: publicUrl,
    consoleAddress: publicUrl,
    referenceAddress: `${publicUrl}/docs`,
    plainAddress: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    caFile: null,
    demo: {
      curl: expect.stringMatching(/^curl https:\/\/gatehouse\.example\.com\/integrations\/transactions /),
    },
    signIn: { link: expect.stringMatching(/^https:\/\/gatehouse\.example\.com\/sign-in#token=/) },
  });
  const overTls = { key, headers: { "x-forwarded-proto": "https" } };
  const answer = await send(`${service.plainAddress}/integrations/accounts`, { ...overTls, body: account });
  expect(answer).toMatchObject({ status: 200 });
  const refused = await send(`${service.plainAddress}/integrations/accounts`, { key, body: account });
  expect(refused.status).toBe(403);
  for (const pathname of ["/livez", "/readyz", "/metrics"])
    expect((await send(service.plainAddress + pathname)).status).toBe(200);
  const document = await send(`${service.plainAddress}/openapi.json`);
  expect(document.json.servers[0].url).toBe(publicUrl);
  expect(service.log().map(({ msg }) => msg)).not.toContainEqual(
    expect.stringContaining("GATEHOUSE_PUBLIC_URL"),
  );
});

test("a command uses the public address too", async () => {
  const place = await newPlaceWithDatabase({ GATEHOUSE_PUBLIC_URL: "https://gatehouse.example.com" });
  const { json } = await place.gatehouse(["demo", "--json"]);
  expect(json.signIn.link).toMatch(/^https:\/\/gatehouse\.example\.com\/sign-in#token=/);
  await leave(place);
});

test("with a configured certificate HTTPS needs no folder either", async () => {
  // Any valid certificate will do; this is another service's.
  const made = await startService(other);
  await stop(made);
  const tls = path.join(other.variables["GATEHOUSE_DATA_DIR"] as string, "tls");
  const service = await startForTest(
    placeAt(folder, {
      ...variables,
      GATEHOUSE_TLS_CERT: path.join(tls, "cert.pem"),
      GATEHOUSE_TLS_KEY: path.join(tls, "key.pem"),
    }),
    { cwd: folder },
  );
  expect(service.caFile).toBeNull();
  const answer = await service.send("/integrations/accounts", {
    ca: made.ca,
    key: await newKey(),
    body: account,
  });
  expect(answer.status).toBe(200);
});

test("a required folder that cannot be created is named", async () => {
  const result = await gatehouse(["serve"], {
    ...variables,
    GATEHOUSE_HTTP_PORT: "0",
    GATEHOUSE_HTTPS_PORT: "0",
  });
  expect(result.exitCode).toBe(1);
  expect(result.stderr).toContain(impossibleFolder);
  expect(result.stderr).not.toMatch(/\n +at /);
});
