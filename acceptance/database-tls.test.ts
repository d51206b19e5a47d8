import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { flags, gatehouse } from "./command.js";
import { leave, newPlaceWithDatabase, startForTest, type Place } from "./running-service.js";
import { password, startTlsDatabase, type TlsDatabase } from "./tls-database.js";

let database: TlsDatabase;
let place: Place;
let documented: string[];

beforeAll(async () => {
  database = await startTlsDatabase();
  place = await newPlaceWithDatabase();
  documented = await documentedAddresses();
});
afterAll(async () => {
  await database.leave();
  await leave(place);
});

type User = "tls_user" | "certified";

/** The connection URLs of the guide, in order. */
async function documentedAddresses(): Promise<string[]> {
  const guide = await readFile(new URL("../docs/how-to/use-your-postgresql.md", import.meta.url), "utf8");
  const [, section = ""] = /\n## TLS to the database\n([^]*?)\n## /.exec(guide) ?? [];
  return [...section.matchAll(/^DATABASE_URL='(.*)'$/gm)].map(([, address]) => address as string);
}

/** The URL with the hosts, user and folder of this test. Nothing listens on the first of two hosts. */
function here(address: string, user: User): string {
  return address
    .replace("//gatehouse@", `//${user}@`)
    .replace("/gatehouse?", `/of_${user}?`)
    .replace("db1.example.com:5432,db2.example.com:5432", `localhost:1,localhost:${database.port}`)
    .replace("db.example.com:5432", `localhost:${database.port}`)
    .replaceAll("/etc/gatehouse/", `${database.clientFolder}/`);
}

function variablesFor(address: string, user: User): Record<string, string> {
  const secret = user === "tls_user" ? { GATEHOUSE_DATABASE_PASSWORD: password } : {};
  return { ...place.variables, ...secret, DATABASE_URL: address };
}

describe("the connection URLs of the guide work", () => {
  test("the guide has four connection URLs", () => {
    expect(documented).toHaveLength(4);
  });

  test("verify-full with a CA that Node.js trusts: migrate, and a command", async () => {
    const variables = {
      ...variablesFor(here(documented[0] as string, "tls_user"), "tls_user"),
      NODE_EXTRA_CA_CERTS: `${database.clientFolder}/db-ca.pem`,
    };
    expect((await gatehouse(["migrate", "--json"], variables)).json.applied.length).toBeGreaterThan(0);
    expect((await gatehouse(["organization", "list", "--json"], variables)).json).toEqual([]);
  });

  test("verify-full with a private CA, and require, which is equivalent and prints nothing on stderr", async () => {
    const address = here(documented[1] as string, "tls_user");
    for (const spelled of [address, address.replace("verify-full", "require")]) {
      const listed = await gatehouse(["organization", "list", "--json"], variablesFor(spelled, "tls_user"));
      expect(Array.isArray(listed.json)).toBe(true);
      expect(listed.stderr).not.toMatch(/warning/i);
    }
  });

  test.each([
    ["a client certificate instead of a password", 2, "certified"],
    ["several servers, of which the first does not answer", 3, "tls_user"],
  ] as const)("%s: every connection of a service is encrypted", async (_what, index, user) => {
    const variables = variablesFor(here(documented[index] as string, user), user);
    await gatehouse(["migrate", "--json"], variables);
    const created = await gatehouse(
      ["organization", "create", ...flags({ name: "Acme" }), "--json"],
      variables,
    );
    const organization = created.json.uuid as string;
    const { json: apiKey } = await gatehouse(
      ["api-key", "create", ...flags({ organization, name: "test" }), "--json"],
      variables,
    );
    const service = await startForTest({ ...place, variables });
    const body = { accounts: [{ tpReferenceId: "A-1", name: "Acme" }] };
    const answer = await service.send("/integrations/accounts", { key: apiKey.key, body });
    expect(answer).toMatchObject({ status: 200 });
    const connections = await database.query(
      `select application_name, ssl, client_dn from pg_stat_ssl join pg_stat_activity using (pid) where usename = $1`,
      [user],
    );
    expect(connections.map((connection) => connection.application_name)).toEqual(
      expect.arrayContaining(["gatehouse", "gatehouse gate"]),
    );
    const clientName = user === "certified" ? "/CN=certified" : null;
    for (const connection of connections)
      expect(connection).toMatchObject({ ssl: true, client_dn: clientName });
  });
});

describe("an invalid TLS setup is rejected with an error that says what to do", () => {
  const withAuthority = (): string => `sslmode=verify-full&sslrootcert=${database.clientFolder}/db-ca.pem`;
  const cases: [string, User, () => string, RegExp][] = [
    [
      "a host that the certificate does not name",
      "tls_user",
      () => `@127.0.0.1?${withAuthority()}`,
      /is for another host than the one in DATABASE_URL \(.*127\.0\.0\.1.*\)\. Use a host name from the certificate/,
    ],
    [
      "an unknown authority",
      "tls_user",
      () => "?sslmode=verify-full",
      /authority that is not trusted .*sslrootcert=/,
    ],
    [
      "another authority",
      "tls_user",
      () => `?sslmode=require&sslrootcert=${database.otherAuthorityFile}`,
      /authority that is not trusted .*sslrootcert=/,
    ],
    ["no TLS", "tls_user", () => "?sslmode=disable", /^The database requires TLS .*Add sslmode=verify-full/],
    ["no TLS parameters", "tls_user", () => "", /^The database requires TLS .*Add sslmode=verify-full/],
    [
      "no client certificate",
      "certified",
      () => `?${withAuthority()}`,
      /^The database requires a client certificate .*sslcert=.*sslkey=/,
    ],
    [
      "another user's client certificate",
      "certified",
      () => `?${withAuthority()}&${database.stranger}`,
      /rejected the client certificate .*\(CN\) must be the user/,
    ],
    [
      "a client certificate of another authority",
      "certified",
      () => `?${withAuthority()}&${database.forged}`,
      /refused the TLS handshake .*signed by the authority/,
    ],
  ];
  test.concurrent.each(cases)("%s", async (_what, user, parameters, sentence) => {
    const [, host = "localhost", query = ""] = /^(?:@([^?]*))?(\?.*)?$/.exec(parameters()) ?? [];
    const address = `postgres://${user}@${host}:${database.port}/of_${user}${query}`;
    const result = await gatehouse(["organization", "list"], variablesFor(address, user));
    expect(result).toMatchObject({ exitCode: 1, stdout: "" });
    expect(result.stderr).toMatch(sentence);
    expect(result.stderr.trimEnd()).not.toContain("\n");
    expect(result.stderr).not.toContain(password);
  });

  test("a wrong password ends a service at once", async () => {
    const address = here(documented[1] as string, "tls_user");
    const result = await gatehouse(["serve"], {
      ...variablesFor(address, "tls_user"),
      GATEHOUSE_DATABASE_PASSWORD: "wrong",
    });
    expect(result.exitCode).toBe(1);
    expect(JSON.parse(result.stderr)).toMatchObject({
      level: "fatal",
      msg: expect.stringMatching(/^The database refused the password .*GATEHOUSE_DATABASE_PASSWORD .*\.$/),
    });
    expect(result.stdout).not.toContain("waiting for it");
  });

  test("a server without TLS where the URL requires it", async () => {
    await database.query("alter system set ssl = off");
    await database.query("select pg_reload_conf()");
    const variables = variablesFor(here(documented[1] as string, "tls_user"), "tls_user");
    let said = "";
    // The server reloads its files with a delay.
    await expect
      .poll(async () => (said = (await gatehouse(["organization", "list"], variables)).stderr))
      .toMatch(/^The database server does not support TLS/);
    expect(said).toContain("sslmode=disable");
  });
});
