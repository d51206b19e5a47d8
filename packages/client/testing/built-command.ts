import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { closeSync, openSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

export const repository = fileURLToPath(new URL("../../..", import.meta.url));
const command = join(repository, "packages/client/bin/gatehouse-push.js");
const lock = join(repository, "node_modules/.gatehouse-push-build");
const staleLockMs = 60_000;

/** Rebuilds the command from its sources, like `npm run build`. Test files build one after the other. */
export async function buildCommand(): Promise<void> {
  while (!tryLock()) await setTimeout(50);
  try {
    const compiler = createRequire(import.meta.url).resolve("typescript/package.json");
    execFileSync(process.execPath, [join(dirname(compiler), "bin/tsc"), "-b", "packages/client"], {
      cwd: repository,
      stdio: "inherit",
    });
  } finally {
    rmSync(lock, { force: true });
  }
}

function tryLock(): boolean {
  try {
    closeSync(openSync(lock, "wx"));
    return true;
  } catch {
    const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > staleLockMs) rmSync(lock, { force: true });
    return false;
  }
}

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  out: string;
  error: string;
}

/** Starts gatehouse-push as a separate process, which is killed when the test ends. */
export function startPush(args: string[]): { process: ChildProcess; ended: Promise<Ended> } {
  const child = spawn(process.execPath, [command, ...args], { stdio: "pipe" });
  onTestFinished(() => void child.kill("SIGKILL"));
  let out = "";
  let error = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (error += text));
  const ended = new Promise<Ended>((resolve) => {
    child.on("close", (code, signal) => resolve({ code, signal, out, error }));
  });
  return { process: child, ended };
}
