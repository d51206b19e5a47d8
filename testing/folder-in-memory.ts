import { access, constants, mkdtemp, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The folder where Linux keeps files in memory. */
const memory = "/dev/shm";
/** Several times the space that a test run needs at once. */
const roomBytes = 4 * 1024 ** 3;

/**
 * A new folder for the data of database servers: in memory if there is space, otherwise among the other temporary files.
 * A database has about 450 files. Creating them on a disk right after deleting as many takes longer than everything else
 * that the server does for a test file.
 */
export async function folderInMemory(prefix: string): Promise<string> {
  return mkdtemp(join((await hasRoom()) ? memory : tmpdir(), prefix));
}

async function hasRoom(): Promise<boolean> {
  try {
    await access(memory, constants.W_OK);
    const { bavail, bsize } = await statfs(memory);
    return bavail * bsize >= roomBytes;
  } catch {
    return false;
  }
}
