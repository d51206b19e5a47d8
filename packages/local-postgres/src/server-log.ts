import { copyFile, open, truncate, type FileHandle } from "node:fs/promises";

/** The log and its older copy each have at most about this size. */
const logLimitBytes = 8 * 1024 * 1024;
const tailBytes = 4 * 1024;
const tailLines = 15;

/** Opens the log for a server process. Append mode allows the file to be truncated while the server writes. */
export async function openServerLog(logFile: string): Promise<FileHandle> {
  return open(logFile, "a", 0o600);
}

/** Moves a log that is too long to `<file>.1`. Safe while the server writes. */
export async function rotateServerLog(logFile: string): Promise<void> {
  if ((await serverLogSize(logFile)) <= logLimitBytes) return;
  // Copies and truncates, because the server keeps the file open and would go on writing to a renamed one.
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

/** The end of the log for error messages, from `fromByte` on. */
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
