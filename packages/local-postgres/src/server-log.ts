import { copyFile, open, truncate, type FileHandle } from "node:fs/promises";

/** The log and the one older copy of it take at most twice this much disk. */
const logLimitBytes = 8 * 1024 * 1024;
const tailBytes = 4 * 1024;
const tailLines = 15;

/** Opens the log for a server process. Appending is what lets the file be cut while the server goes on writing. */
export async function openServerLog(logFile: string): Promise<FileHandle> {
  return open(logFile, "a", 0o600);
}

/** Moves a log that has grown too long into `<file>.1`, replacing the one before; safe while the server writes. */
export async function boundServerLog(logFile: string): Promise<void> {
  if ((await serverLogSize(logFile)) <= logLimitBytes) return;
  // Copy and cut instead of renaming: the server holds the file open and would go on writing into the old one.
  await copyFile(logFile, `${logFile}.1`);
  await truncate(logFile, 0);
}

export async function serverLogSize(logFile: string): Promise<number> {
  const file = await open(logFile, "r").catch(() => undefined);
  if (file === undefined) return 0;
  try {
    return (await file.stat()).size;
  } finally {
    await file.close();
  }
}

/** The log's end, from `fromByte` on: what an error message shows so that nobody has to look for the file first. */
export async function readServerLogTail(logFile: string, fromByte = 0): Promise<string> {
  const file = await open(logFile, "r").catch(() => undefined);
  if (file === undefined) return "";
  try {
    const { size } = await file.stat();
    const start = Math.max(size - tailBytes, Math.min(fromByte, size));
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start);
    return buffer.toString("utf8", 0, bytesRead).trimEnd().split("\n").slice(-tailLines).join("\n");
  } finally {
    await file.close();
  }
}
