import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { folderInMemory } from "../../../testing/folder-in-memory.js";
import { example } from "../testing/example.js";
import { findServerAccount } from "./launcher.js";
import { longestDelayMs, startServer, type LocalServer, type ServerOptions } from "./server.js";

const waitTimeoutMs = 60_000;
const usageConnections = "from pg_stat_activity where application_name = 'example usage'";
const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function temporaryDataDirectory(): Promise<string> {
  const folder = await folderInMemory("local-postgres-");
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  return path.join(folder, "data");
}

let made: string;
beforeAll(async () => {
  made = await folderInMemory("local-postgres-");
  const dataDirectory = path.join(made, "data");
  await (await startServer({ product: example, dataDirectory, mayCreate: true })).stop();
  // The file with the remembered port: every copy needs a different port.
  await rm(path.join(dataDirectory, "postgres", "postmaster.opts"));
});
afterAll(() => rm(made, { recursive: true, force: true }));

/** A copy of one that was in use and is at rest: to make a cluster takes longer than most of these tests do. */
async function usedDataDirectory(): Promise<string> {
  const dataDirectory = await temporaryDataDirectory();
  await promisify(execFile)("cp", ["-a", path.join(made, "data"), dataDirectory]);
  return dataDirectory;
}

async function start(dataDirectory: string, options: Partial<ServerOptions> = {}): Promise<LocalServer> {
  const server = await startServer({ product: example, dataDirectory, mayCreate: true, ...options });
  cleanups.push(() => server.stop());
  return server;
}

async function query(connectionString: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString, connectionTimeoutMillis: waitTimeoutMs });
  client.on("error", () => {});
  try {
    await client.connect();
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

/** The number in postmaster.pid, which a server that shuts down in good order removes. */
async function postmasterPid(dataDirectory: string): Promise<number | undefined> {
  const file = path.join(dataDirectory, "postgres", "postmaster.pid");
  return readFile(file, "utf8").then(
    (text) => Number.parseInt(text, 10),
    () => undefined,
  );
}

async function killServer(dataDirectory: string): Promise<void> {
  process.kill((await postmasterPid(dataDirectory)) ?? Number.NaN, "SIGKILL");
}

const patiently = { timeout: waitTimeoutMs, interval: 20 };

test("a restart keeps the data, the port and the password", async () => {
  const dataDirectory = await usedDataDirectory();
  const first = await start(dataDirectory);
  await query(first.connectionString, "create table kept as select 42 as answer");
  await first.stop();
  expect(await postmasterPid(dataDirectory)).toBeUndefined();

  const second = await start(dataDirectory);
  expect(second.connectionString).toBe(first.connectionString);
  expect(await query(second.connectionString, "select answer from kept")).toEqual([{ answer: 42 }]);
});

test("the database is durable, uses UTF-8 and UTC and sorts equally on every machine", async () => {
  const { connectionString } = await start(await usedDataDirectory());
  const names = [
    "fsync",
    "synchronous_commit",
    "full_page_writes",
    "data_checksums",
    "timezone",
    "server_encoding",
  ];
  const [row] = await query(
    connectionString,
    `select ${names.map((name) => `current_setting('${name}') as ${name}`).join(", ")}, datlocprovider, datlocale from pg_database where datname = 'example'`,
  );
  expect(row).toEqual({
    fsync: "on",
    synchronous_commit: "on",
    full_page_writes: "on",
    data_checksums: "on",
    timezone: "UTC",
    server_encoding: "UTF8",
    datlocprovider: "b",
    datlocale: "C.UTF-8",
  });
});

test("other users of the machine have no access: private files, a password for every connection", async () => {
  const dataDirectory = await usedDataDirectory();
  const { connectionString } = await start(dataDirectory);
  const mode = async (name: string) => (await stat(path.join(dataDirectory, name))).mode & 0o777;
  // As root, the group of the server's own account may pass through.
  expect(await mode("")).toBe(process.geteuid?.() === 0 ? 0o710 : 0o700);
  expect(await mode("postgres")).toBe(0o700);
  expect(await mode("postgres.password")).toBe(0o600);
  expect(await mode("postgres.log")).toBe(0o600);
  const guess = connectionString.replace(/example:[^@]+@/, "example:guess@");
  await expect(query(guess, "select 1")).rejects.toThrow("password authentication failed");
});

test("settings of the caller override the defaults", async () => {
  const { connectionString } = await start(await usedDataDirectory(), { settings: { fsync: "off" } });
  expect(await query(connectionString, "show fsync")).toEqual([{ fsync: "off" }]);
});

test("two first starts at once share one cluster", async () => {
  const dataDirectory = await temporaryDataDirectory();
  const [one, other] = await Promise.all([start(dataDirectory), start(dataDirectory)]);
  expect(one.connectionString).toBe(other.connectionString);
  expect((await readdir(dataDirectory)).toSorted()).toEqual([
    "postgres",
    "postgres.log",
    "postgres.password",
  ]);
});

test("the server runs until its last user stops", async () => {
  const dataDirectory = await usedDataDirectory();
  const [one, other] = [await start(dataDirectory), await start(dataDirectory)];
  await one.stop();
  expect(await query(other.connectionString, "select 1 as one")).toEqual([{ one: 1 }]);
  await Promise.all([other.stop(), other.stop()]);
  expect(await postmasterPid(dataDirectory)).toBeUndefined();
});

test("the next start uses the server of a killed process", async () => {
  const dataDirectory = await usedDataDirectory();
  // The child loads the TypeScript source through vite, as this test itself is loaded.
  const script = `
    import { runnerImport } from "vite";
    const { module } = await runnerImport(process.argv[1]);
    const server = await module.startServer({ product: ${JSON.stringify(example)}, dataDirectory: process.argv[2], mayCreate: true });
    console.log(server.connectionString);
    setInterval(() => {}, 1000);`;
  const source = path.join(import.meta.dirname, "server.ts");
  const child = spawn(process.execPath, ["--input-type=module", "-e", script, source, dataDirectory], {
    cwd: import.meta.dirname,
    stdio: ["ignore", "pipe", "inherit"],
  });
  cleanups.push(() => child.kill("SIGKILL"));
  const connectionString = String((await once(child.stdout, "data"))[0]).trim();
  const pid = await postmasterPid(dataDirectory);
  child.kill("SIGKILL");
  await once(child, "exit");

  const heir = await start(dataDirectory);
  expect(heir.connectionString).toBe(connectionString);
  expect(await postmasterPid(dataDirectory)).toBe(pid);
  // The killed process's mark went with its connection, so the heir is the last user.
  const users = () => query(connectionString, `select count(*)::int ${usageConnections}`);
  await expect.poll(users, patiently).toEqual([{ count: 1 }]);
  await heir.stop();
  expect(await postmasterPid(dataDirectory)).toBeUndefined();
});

test("a crashed server is restarted on the same port with everything that was committed", async () => {
  const dataDirectory = await usedDataDirectory();
  const messages: string[] = [];
  const returns = () => messages.filter((message) => message.endsWith("was restarted."));
  const server = await start(dataDirectory, { log: (message) => messages.push(message) });
  for (const value of [1, 2]) {
    await query(server.connectionString, `create table committed_${value} as select ${value} as value`);
    await killServer(dataDirectory);
    const read = () => query(server.connectionString, `select value from committed_${value}`).catch(String);
    await expect.poll(read, patiently).toEqual([{ value }]);
    // It answers a little before it is said to be back; one that crashes in between is back once.
    await expect.poll(returns, patiently).toHaveLength(value);
  }
});

test("a failing restart is retried without limit, with a growing delay up to a maximum", async () => {
  const dataDirectory = await usedDataDirectory();
  const delays: number[] = [];
  const warnings: string[] = [];
  const server = await start(dataDirectory, {
    pause: async (delayMs) => void delays.push(delayMs),
    warn: (message) => warnings.push(message),
  });
  await query(server.connectionString, "create table kept as select 42 as answer");
  const version = path.join(dataDirectory, "postgres", "PG_VERSION");
  const written = await readFile(version);
  await writeFile(version, "1\n");
  expect(server.failedRestarts()).toBe(0);
  await killServer(dataDirectory);
  await expect.poll(server.failedRestarts, patiently).toBeGreaterThan(20);
  expect(delays.slice(0, 3)).toEqual([50, 100, 200]);
  expect(Math.max(...delays)).toBe(longestDelayMs);
  expect(warnings.at(-1)).toMatch(
    /could not be restarted and is retried: .*postgres\.log:\n.*database files are incompatible/s,
  );

  await writeFile(version, written);
  const read = () => query(server.connectionString, "select answer from kept").catch(String);
  await expect.poll(read, patiently).toEqual([{ answer: 42 }]);
  await expect.poll(server.failedRestarts, patiently).toBe(0);
});

test("a server that crashed just before the stop is not restarted", async () => {
  const dataDirectory = await usedDataDirectory();
  const server = await start(dataDirectory);
  const pid = await postmasterPid(dataDirectory);
  await killServer(dataDirectory);
  await server.stop();
  expect([undefined, pid]).toContain(await postmasterPid(dataDirectory));
  // Connections during the teardown of the killed process are reset; later ones are refused.
  const ask = () => query(server.connectionString, "select 1").catch(String);
  await expect.poll(ask, patiently).toContain("ECONNREFUSED");
});

test("a lost usage connection is replaced while the server goes on", async () => {
  const dataDirectory = await usedDataDirectory();
  const server = await start(dataDirectory);
  const pid = await postmasterPid(dataDirectory);
  const [lost] = await query(
    server.connectionString,
    `select pid, pg_terminate_backend(pid) ${usageConnections}`,
  );
  const replacement = () =>
    query(
      server.connectionString,
      `select count(*)::int ${usageConnections} and pid <> ${String(lost?.pid)}`,
    );
  await expect.poll(replacement, patiently).toEqual([{ count: 1 }]);
  expect(await postmasterPid(dataDirectory)).toBe(pid);
  await server.stop();
  expect(await postmasterPid(dataDirectory)).toBeUndefined();
});

test("a start while the server is stopping starts it again", async () => {
  const dataDirectory = await usedDataDirectory();
  let server = await start(dataDirectory);
  for (let round = 0; round < 5; round++) {
    const [next] = await Promise.all([start(dataDirectory), server.stop()]);
    expect(await query(next.connectionString, "select 1 as one")).toEqual([{ one: 1 }]);
    server = next;
  }
});

test("a stale process number of another program does not prevent the start", async () => {
  const dataDirectory = await usedDataDirectory();
  const first = await start(dataDirectory);
  await first.stop();
  // Only a process of the same user misleads PostgreSQL.
  const account = await findServerAccount(path.join(dataDirectory, "postgres"), example);
  const { uid, gid } = account ?? { uid: process.getuid?.(), gid: process.getgid?.() };
  const stranger = spawn("sleep", ["60"], {
    stdio: "ignore",
    ...(uid !== undefined && gid !== undefined && { uid, gid }),
  });
  cleanups.push(() => stranger.kill());
  const file = path.join(dataDirectory, "postgres", "postmaster.pid");
  await writeFile(
    file,
    `${stranger.pid}\n${path.dirname(file)}\n1700000000\n5432\n\n127.0.0.1\n1 1\nready   \n`,
  );

  const second = await start(dataDirectory);
  expect(await query(second.connectionString, "select 1 as one")).toEqual([{ one: 1 }]);
  expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
});

test("if the port is taken, the server starts on a free one", async () => {
  const dataDirectory = await usedDataDirectory();
  const first = await start(dataDirectory);
  await first.stop();
  const { port } = new URL(first.connectionString);
  const squatter = createServer().listen(Number(port), "127.0.0.1");
  await once(squatter, "listening");
  cleanups.push(() => squatter.close());
  expect((squatter.address() as AddressInfo).port).toBe(Number(port));

  const second = await start(dataDirectory);
  expect(new URL(second.connectionString).port).not.toBe(port);
  expect(await query(second.connectionString, "select 1 as one")).toEqual([{ one: 1 }]);
});

test("the temporary folder of a killed initialization is removed", async () => {
  const dataDirectory = await temporaryDataDirectory();
  const remains = path.join(dataDirectory, "postgres.new-killed", "cluster");
  await mkdir(remains, { recursive: true });
  await utimes(path.dirname(remains), 1, 1);
  const { connectionString } = await start(dataDirectory);
  expect(await query(connectionString, "select 1 as one")).toEqual([{ one: 1 }]);
  expect(await readdir(dataDirectory)).not.toContain("postgres.new-killed");
});

test("a start that fails shows the end of the server's log", async () => {
  const dataDirectory = await usedDataDirectory();
  const refused = startServer({ product: example, dataDirectory, settings: { shared_buffers: "nonsense" } });
  await expect(refused).rejects.toThrow(/postgres\.log:\n.*invalid value for parameter "shared_buffers"/s);
});

test("a missing password file is reported instead of creating a second database", async () => {
  const dataDirectory = await usedDataDirectory();
  await (await start(dataDirectory)).stop();
  await rm(path.join(dataDirectory, "postgres.password"));
  await expect(startServer({ product: example, dataDirectory, mayCreate: true })).rejects.toThrow(
    "postgres.password is missing",
  );
});
