import { access, constants, mkdtemp, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Where Linux keeps files in memory. */
const memory = "/dev/shm";
/** Several times what a test run has on it at once. */
const roomBytes = 4 * 1024 ** 3;

/**
 * A new folder for the data of database servers: in memory where there is room, or else among the other temporary files.
 * A database is some 450 files, and to make them where as many were deleted a moment ago takes a disk's file system longer
 * than all else that the server does for a test file.
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
