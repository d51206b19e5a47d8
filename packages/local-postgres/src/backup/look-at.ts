import path from "node:path";
import { clusterFolder } from "../data-folder.js";
import type { Product } from "../product.js";
import { openArchive } from "./archive-reader.js";
import { measureCluster } from "./cluster-files.js";
import { InvalidBackup } from "./invalid-backup.js";

/** Whether a file begins as a backup of this product does. Nothing else of it is read. */
export async function isBackupOf(file: string, product: Product): Promise<boolean> {
  try {
    const archive = await openArchive(file, product, new AbortController().signal);
    await archive.close();
    return true;
  } catch (error) {
    if (error instanceof InvalidBackup) return false;
    throw error;
  }
}

/** How many bytes the files of the database have that go into a backup, before they are compressed. */
export function measureDatabase(dataDirectory: string): Promise<number> {
  return measureCluster(path.join(dataDirectory, clusterFolder));
}
