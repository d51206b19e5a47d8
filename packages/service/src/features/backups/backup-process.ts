import { spawn, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { MadeBackup } from "./make-backup.js";

/** A backup that takes longer is stopped. */
const limitMs = 6 * 3_600_000;
/** How long a stopped process may clean up before it is killed. The next backup cleans up after a killed one. */
const stopTimeoutMs = 4_000;
const maxOutputCharacters = 64 * 1024;

const command = fileURLToPath(new URL("../../../bin/gatehouse.js", import.meta.url));

/** Runs `gatehouse backup` in a separate process. Throws its error message. Stops it when the signal aborts. */
export async function runBackupCommand(signal: AbortSignal): Promise<MadeBackup> {
  signal.throwIfAborted();
  const child: ChildProcess = spawn(process.execPath, [command, "backup", "--json"], {
    stdio: ["ignore", "pipe", "pipe"],
    // In its own session, so that Ctrl-C in the terminal only reaches the service, which then stops this process.
    detached: true,
    windowsHide: true,
  });
  let stdout = "";
  let stderr = "";
  // Keeps only the end of each stream: a result is short, and the reason of a failure comes last. If no file descriptors are
  // left, the streams are undefined. The "error" event that follows is handled below.
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    stdout = (stdout + text).slice(-maxOutputCharacters);
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-maxOutputCharacters);
  });
  let killer: NodeJS.Timeout | undefined;
  const end = (): void => {
    child.kill("SIGTERM");
    killer ??= setTimeout(() => child.kill("SIGKILL"), stopTimeoutMs);
  };
  let tookTooLong = false;
  const limit = setTimeout(() => {
    tookTooLong = true;
    end();
  }, limitMs);
  limit.unref();
  signal.addEventListener("abort", end, { once: true });
  try {
    const exitCode = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject).once("close", resolve);
    });
    if (exitCode === 0) return JSON.parse(stdout) as MadeBackup;
    if (tookTooLong)
      throw new Error(`The backup took longer than ${limitMs / 3_600_000} hours and was stopped.`);
    throw new Error(stderr.trim() || `The backup ended with ${child.signalCode ?? `code ${exitCode}`}.`);
  } finally {
    signal.removeEventListener("abort", end);
    clearTimeout(limit);
    clearTimeout(killer);
  }
}
