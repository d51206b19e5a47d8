import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chown, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { gatehouse } from "../command.js";
import { databaseServers, endProcess, until } from "../running-service.js";

/** A primary and a synchronous standby, as an operator would set them up. */
export interface Pair {
  /** A URL with both hosts, whichever is the primary. */
  readonly connectionString: string;
  // oxlint-disable-next-line typescript/no-explicit-any
  queryPrimary(statement: string, values?: unknown[]): Promise<any[]>;
  /** Simulates the loss of its machine: kills the server and all its processes. */
  killPrimary(): Promise<void>;
  /** Promotes the standby. It has no standby then. */
  promote(): Promise<void>;
  /** Starts the former primary unchanged, and stops it on request. */
  reviveFormerPrimary(): Promise<() => Promise<void>>;
  /** Rebuilds the server that is down from a backup of the other, as its standby, while that one keeps running. */
  makeStandby(): Promise<void>;
  leave(): Promise<void>;
}

interface Server {
  folder: string;
  /** 0 until the first start; then constant, because clients know it. */
  port: number;
  runner: ChildProcess | undefined;
  connectionString: string;
}

const runnerScript = fileURLToPath(new URL("server-runner.js", import.meta.url));
/** WAL that a late standby still finds. */
const commonSettings = { wal_keep_size: "256MB" };

export async function startPair(): Promise<Pair> {
  const parent = await mkdtemp(path.join(tmpdir(), "gatehouse-rig-"));
  const server = (name: string): Server => ({
    folder: path.join(parent, name),
    port: 0,
    runner: undefined,
    connectionString: "",
  });
  let primary = server("one");
  let other = server("two");
  const ofUrl = [primary, other];

  async function queryPrimary(statement: string, values: unknown[] = []) {
    const client = new pg.Client({ connectionString: primary.connectionString });
    await client.connect().catch((error: unknown) => {
      const { exitCode = "nothing", signalCode } = primary.runner ?? {};
      const end = `its process ended with ${signalCode ?? exitCode}`;
      throw new Error(`The primary cannot be asked "${statement}" (${end})`, { cause: error });
    });
    try {
      return (await client.query(statement, values)).rows;
    } finally {
      await client.end();
    }
  }

  async function makeStandby(): Promise<void> {
    const file = path.join(parent, "backup.tar.gz");
    await run(["backup", file], primary.folder);
    await rm(other.folder, { recursive: true, force: true });
    await run(["restore", file], other.folder);
    await rm(file);
    await markAsStandby(other.folder);
    await start(other, { primary_conninfo: connectionInfo(primary) });
    // Not on the command line, where it would outlast the promotion: a primary alone must not wait for a
    // standby.
    await queryPrimary("alter system set synchronous_standby_names = '*'");
    await queryPrimary("select pg_reload_conf()");
    const [{ position }] = await queryPrimary("select pg_current_wal_lsn()::text as position");
    await until(async () => {
      const confirmed = await queryPrimary(
        "select from pg_stat_replication where state = 'streaming' and sync_state = 'sync' and flush_lsn >= $1",
        [position],
      );
      return confirmed.length === 1;
    });
  }

  async function leave(): Promise<void> {
    for (const one of ofUrl) await end(one);
    await rm(parent, { recursive: true, force: true });
  }

  try {
    await start(primary);
    await makeStandby();
  } catch (error) {
    await leave();
    throw error;
  }
  return {
    get connectionString() {
      const url = new URL(primary.connectionString);
      return url.href.replace(url.host, ofUrl.map(({ port }) => `127.0.0.1:${port}`).join(","));
    },
    queryPrimary,
    killPrimary: () => kill(primary),
    async promote() {
      [primary, other] = [other, primary];
      const [{ promoted }] = await queryPrimary("select pg_promote(true, 30) as promoted");
      if (!promoted) throw new Error("The standby was not promoted");
    },
    async reviveFormerPrimary() {
      await start(other, { synchronous_standby_names: "" });
      return () => end(other);
    },
    makeStandby,
    leave,
  };
}

async function run(commandArguments: string[], folder: string): Promise<void> {
  const { exitCode, stderr } = await gatehouse(commandArguments, { GATEHOUSE_DATA_DIR: folder });
  if (exitCode !== 0) throw new Error(`gatehouse ${commandArguments.join(" ")} failed: ${stderr}`);
}

async function start(server: Server, settings: Record<string, string> = {}): Promise<void> {
  const all = JSON.stringify({ ...commonSettings, ...settings });
  const runner = spawn(process.execPath, [runnerScript, server.folder, String(server.port), all], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  server.runner = runner;
  server.connectionString = await new Promise<string>((resolve, reject) => {
    runner.once("close", (code) => reject(new Error(`The database server did not start: ${code}`)));
    runner.stdout.setEncoding("utf8").once("data", (line: string) => resolve(line.trim()));
  });
  server.port = Number(new URL(server.connectionString).port);
}

async function end(server: Server): Promise<void> {
  const { runner } = server;
  server.runner = undefined;
  if (!runner || runner.exitCode !== null) return;
  const ended = once(runner, "exit");
  runner.stdin?.end();
  await ended;
}

async function kill(server: Server): Promise<void> {
  const ended = once(server.runner as ChildProcess, "exit");
  for (const pid of await databaseServers(server.folder)) {
    const children = await childrenOf(pid);
    for (const one of [pid, ...children]) endProcess(one, "SIGKILL");
  }
  await ended;
}

async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
      return status.includes(`\nPPid:\t${parent}\n`) ? [Number(pid)] : [];
    }),
  );
  return found.flat();
}

/** The server's account must be able to remove the file on promotion. */
async function markAsStandby(folder: string): Promise<void> {
  const cluster = path.join(folder, "postgres");
  const { uid, gid } = await stat(cluster);
  const signal = path.join(cluster, "standby.signal");
  await writeFile(signal, "", { mode: 0o600 });
  await chown(signal, uid, gid);
}

function connectionInfo({ connectionString }: Server): string {
  const { hostname, port, username, password } = new URL(connectionString);
  return `host=${hostname} port=${port} user=${username} password=${password} application_name=standby`;
}
