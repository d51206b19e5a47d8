import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chown, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { gatehouse } from "../command.js";
import { databaseServers, endProcess, until } from "../running-service.js";

/** A primary and a standby that confirms every commit, as an operator would have them. */
export interface Pair {
  /** Names both, whichever is the primary. */
  readonly connectionString: string;
  // oxlint-disable-next-line typescript/no-explicit-any
  queryPrimary(statement: string, values?: unknown[]): Promise<any[]>;
  /** As when its machine is gone: the server and all its processes, without a word to anyone. */
  killPrimary(): Promise<void>;
  /** Makes the standby the primary. It has no standby of its own then. */
  promote(): Promise<void>;
  /** Starts the former primary as if nothing had happened, and ends it again when told. */
  reviveFormerPrimary(): Promise<() => Promise<void>>;
  /** Makes the server that is down the standby of the other, out of a backup, while that one goes on. */
  makeStandby(): Promise<void>;
  leave(): Promise<void>;
}

interface Server {
  folder: string;
  /** 0 until it has run once; then always the same, because clients know it. */
  port: number;
  runner: ChildProcess | undefined;
  connectionString: string;
}

const runnerScript = fileURLToPath(new URL("server-runner.js", import.meta.url));
/** What a standby that comes a little late still finds. */
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
    // Never on the command line, which would outlive the promotion: a primary alone must not wait for a standby.
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

/** The server's account has to be able to remove the file when it is promoted. */
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
