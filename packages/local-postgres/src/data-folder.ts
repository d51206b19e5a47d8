import { open } from "node:fs/promises";

/** Names in the data folder. The product keeps its own files beside these. */
export const clusterFolder = "postgres";
export const passwordFile = "postgres.password";
export const serverLogFile = "postgres.log";
/** Temporary folders of initdb, and of a restore before its files are moved into place. */
export const initializationPrefix = "postgres.new-";
export const unfinishedRestorePrefix = "restore.new-";

/** Makes new names in a folder survive a power failure, as fsync does for the contents of a file. */
export async function syncFolder(directory: string): Promise<void> {
  // Windows cannot sync a folder and need not.
  if (process.platform === "win32") return;
  const folder = await open(directory, "r");
  await folder.sync().finally(() => folder.close());
}
