import { open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";

const lockFile = "push.lock";

/** Keeps two pushes from writing the same files. A lock whose process is gone, after kill -9, is taken over. */
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
        `Another gatehouse-push (process ${owner}) is writing to ${folder}. Wait for it, or choose another folder with --output. If there is no such push, remove ${path}`,
      );
    }
    await rm(path, { force: true });
  }
}

/** In a container, the process that was killed may have had the very number that we have now. */
function isRunning(processId: number): boolean {
  if (!Number.isInteger(processId) || processId <= 0 || processId === process.pid) return false;
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
