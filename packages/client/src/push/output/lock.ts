import { open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";

const lockFile = "push.lock";

/**
 * Prevents two pushes from writing the same files. Takes over the lock of a process that no longer exists,
 * for example after kill -9.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const path = join(folder, lockFile);
  for (;;) {
    try {
      const file = await open(path, "wx");
      await file.write(`${process.pid}\n`);
      await file.close();
      return () => rm(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const owner = Number(await readFile(path, "utf8").catch(() => ""));
    if (isRunning(owner)) {
      throw new Error(
        `Another gatehouse-push (process ${owner}) is writing to ${folder}. Wait until it finishes, or choose another folder with --output. If that process is not a push, delete ${path}`,
      );
    }
    await rm(path, { force: true });
  }
}

/** In a container, the killed process may have had our own process ID. */
function isRunning(processId: number): boolean {
  if (!Number.isInteger(processId) || processId <= 0 || processId === process.pid) return false;
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
