import { spawn, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { MadeBackup } from "./make-backup.js";

/** A backup that takes longer is ended. */
const limitMs = 6 * 3_600_000;
/** How long a process that was told to end may take to clear up; then it is killed, and the next one clears up. */
const patienceMs = 4_000;
const maxOutputCharacters = 64 * 1024;

const command = fileURLToPath(new URL("../../../bin/gatehouse.js", import.meta.url));

/** Runs `gatehouse backup` to its end, in a process of its own. Throws in its words; ends it when the signal says so. */
export async function runBackupCommand(signal: AbortSignal): Promise<MadeBackup> {
  signal.throwIfAborted();
  const child: ChildProcess = spawn(process.execPath, [command, "backup", "--json"], {
    stdio: ["ignore", "pipe", "pipe"],
    // A session of its own: a Ctrl-C in the terminal is for the service, which then ends this.
    detached: true,
    windowsHide: true,
  });
  let stdout = "";
  let stderr = "";
  // Only the end of each stream is kept: a result is short, and the reason of a failure comes last. Where no more files
  // can be opened, there are no streams. Throwing then would end the service, because nobody listens yet to the error
  // that follows.
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    stdout = (stdout + text).slice(-maxOutputCharacters);
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-maxOutputCharacters);
  });
  let killer: NodeJS.Timeout | undefined;
  const end = (): void => {
    child.kill("SIGTERM");
    killer ??= setTimeout(() => child.kill("SIGKILL"), patienceMs);
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
      throw new Error(`The backup took longer than ${limitMs / 3_600_000} hours and was ended.`);
    throw new Error(stderr.trim() || `The backup ended with ${child.signalCode ?? `code ${exitCode}`}.`);
  } finally {
    signal.removeEventListener("abort", end);
    clearTimeout(limit);
    clearTimeout(killer);
  }
}
