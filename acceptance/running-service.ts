import { execFile, spawn, type ChildProcessByStdio, type SpawnOptions } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { inject, onTestFinished } from "vitest";
import { folderInMemory } from "../testing/folder-in-memory.js";
import { environment, gatehouse, gatehouseCommand, type CommandResult } from "./command.js";
import { send, type Answer, type Sending } from "./requests.js";

/** The output of `serve --json` when it is ready. */
export interface Started {
  apiAddress: string;
  plainAddress: string;
  consoleAddress: string;
  referenceAddress: string;
  /** Null if the service has not created its certificate. */
  caFile: string | null;
  demo: { organizationUuid: string; locationUuid: string; key: string; curl: string } | null;
  signIn: { email: string; link: string } | null;
}

export interface RunningService extends Started {
  pid: number;
  /** The log so far, as objects. */
  log(): Record<string, unknown>[];
  /** Exits without a signal, or by one. */
  ended: Promise<{ exitCode: number | null; signal: string | null }>;
  kill(signal: NodeJS.Signals): void;
  /** To the HTTPS port, trusting the service's CA. */
  send(pathname: string, sending?: Sending): Promise<Answer>;
  ca: string;
}

export interface Place {
  dataDirectory: string;
  variables: Record<string, string>;
  /** The command to start, of this build or another. */
  program: string;
  gatehouse(commandArguments: string[], input?: string): Promise<CommandResult>;
}

/** Far more than anything takes, so that a busy machine does not fail the test: backups have a low priority. */
const startTimeoutMs = 240_000;
const patienceMs = 480_000;

/** A new data folder with free ports. Afterwards its files and its database server are removed. */
export async function newPlace(variables: Record<string, string> = {}): Promise<Place> {
  const dataDirectory = await folderInMemory("gatehouse-acceptance-");
  return placeAt(dataDirectory, variables);
}

/** The same for tests that are not about a first start: with a prepared database server. */
export async function newPlaceWithDatabase(variables: Record<string, string> = {}): Promise<Place> {
  const place = await newPlace(variables);
  await copyMadeDatabase(place.variables["GATEHOUSE_DATA_DIR"] as string);
  return place;
}

/** As the data folder of the server; see made-database.ts. Keeps the owner, who may be another user than the test's. */
export async function copyMadeDatabase(folder: string): Promise<void> {
  await promisify(execFile)("cp", ["-a", inject("madeDatabase"), folder]);
}

export function placeAt(
  dataDirectory: string,
  variables: Record<string, string> = {},
  program = gatehouseCommand,
): Place {
  const all = {
    GATEHOUSE_DATA_DIR: path.join(dataDirectory, "data"),
    GATEHOUSE_HTTPS_PORT: "0",
    GATEHOUSE_HTTP_PORT: "0",
    ...variables,
  };
  return {
    dataDirectory,
    variables: all,
    program,
    gatehouse: (commandArguments, input) =>
      gatehouse(commandArguments, all, input === undefined ? { program } : { program, input }),
  };
}

export async function leave(place: Place): Promise<void> {
  // A service that was killed leaves its database server to the next start. There is none here.
  const { GATEHOUSE_DATA_DIR: folder = "" } = place.variables;
  for (const pid of await databaseServers(folder)) endProcess(pid, "SIGQUIT");
  await until(async () => (await databaseServers(folder)).length === 0);
  await rm(place.dataDirectory, { recursive: true, force: true });
}

type StartOptions = Pick<SpawnOptions, "cwd" | "uid" | "gid"> & {
  /** The program that runs `gatehouse`; by default this Node with the program of the place. */
  command?: readonly [program: string, ...programArguments: string[]];
};

/** Starts a service and waits until it is ready. Processes that still run when the test ends are killed. */
export async function startService(place: Place, options: StartOptions = {}): Promise<RunningService> {
  const { command = [process.execPath, place.program], ...spawnOptions } = options;
  const [program, ...programArguments] = command;
  const child = spawn(program, [...programArguments, "serve", "--json"], {
    ...spawnOptions,
    env: environment(place.variables),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "close").then(([exitCode, signal]) => ({
    exitCode: exitCode as number | null,
    signal: signal as string | null,
  }));
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (log += text));
  const started = await readStarted(child, () => log);
  const ca = started.caFile === null ? "" : readFileSync(started.caFile, "utf8");
  return {
    ...started,
    pid: child.pid as number,
    log: () =>
      log
        .split("\n")
        .filter((line) => line.startsWith("{"))
        .map((line) => JSON.parse(line)),
    ended,
    kill: (signal) => void child.kill(signal),
    send: (pathname, sending = {}) =>
      send(started.apiAddress + pathname, { ...(ca === "" ? {} : { ca }), ...sending }),
    ca,
  };
}

/** Like startService, but the service stops with the test. */
export async function startForTest(place: Place, options: StartOptions = {}): Promise<RunningService> {
  const service = await startService(place, options);
  onTestFinished(() => stop(service));
  return service;
}

export async function stop(service: RunningService): Promise<void> {
  service.kill("SIGTERM");
  await service.ended;
}

/** The PostgreSQL processes of a data folder: the server itself, which names the folder. */
export async function databaseServers(dataDirectory: string): Promise<number[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(
    pids.map(async (pid) => {
      const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
      return command.includes("postgres") && command.includes(`${dataDirectory}/postgres`) ? [pid] : [];
    }),
  );
  return found.flat();
}

export async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + patienceMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error("the condition was not met in time");
    await sleep(20);
  }
}

/** The process may have exited already. */
export function endProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

type ServiceProcess = ChildProcessByStdio<null, Readable, Readable>;

function readStarted(child: ServiceProcess, log: () => string): Promise<Started> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string): void => {
      child.kill("SIGKILL");
      reject(new Error(`The service did not start: ${reason}\n${log()}`));
    };
    const timer = setTimeout(() => fail("no output in time"), startTimeoutMs);
    let text = "";
    const closed = (code: number | null): void => fail(`it ended with ${code}`);
    child.once("close", closed);
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      // The document is indented, so this line is its end.
      if (!text.endsWith("\n}\n")) return;
      clearTimeout(timer);
      child.off("close", closed);
      resolve(JSON.parse(text) as Started);
    });
  });
}
