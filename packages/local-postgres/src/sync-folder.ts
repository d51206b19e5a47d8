import { open } from "node:fs/promises";

/** Makes the names in a folder survive a power failure, as sync does for what is in a file. */
export async function syncFolder(directory: string): Promise<void> {
  // Windows cannot sync a folder and need not.
  if (process.platform === "win32") return;
  const folder = await open(directory, "r");
  await folder.sync().finally(() => folder.close());
}
