import { randomBytes } from "node:crypto";
import {
  chmod,
  chown,
  link,
  mkdir,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import path from "node:path";
import { clusterFolder, passwordFile, serverLogFile, unfinishedRestorePrefix } from "./data-folder.js";
import { prepareBinaries, type Binaries } from "./binaries.js";
import { initializeCluster, removeAbandonedInitializations } from "./initialize.js";
import { chooseLauncher, findServerAccount, type Launcher, type ServerAccount } from "./launcher.js";
import { missingDatabase, type Product } from "./product.js";

/** A PostgreSQL cluster, the folder with the databases of one server, and how to run a server on it. */
export interface Cluster {
  product: Product;
  directory: string;
  logFile: string;
  password: string;
  binaries: Binaries;
  account: ServerAccount | undefined;
  launcher: Launcher;
}

export interface ClusterOptions {
  product: Product;
  dataDirectory: string;
  mayCreate: boolean;
  log: (message: string) => void;
  binaries?: Binaries;
}

/**
 * Finds the cluster of the data folder. With `mayCreate` it creates a missing folder, password and cluster. Several processes
 * may call it at once.
 */
export async function prepareCluster(options: ClusterOptions): Promise<Cluster> {
  const { product } = options;
  try {
    // Checked first, so that a command in the wrong folder leaves no files.
    if (!options.mayCreate && !(await isCluster(path.join(options.dataDirectory, clusterFolder))))
      throw missingDatabase(options.dataDirectory, product);
    const binaries = options.binaries ?? (await prepareBinaries(product));
    const account = await findServerAccount(path.join(options.dataDirectory, clusterFolder), product);
    const dataDirectory = await prepareDataDirectory(options.dataDirectory, account);
    await removeAbandonedInitializations(dataDirectory);
    const directory = path.join(dataDirectory, clusterFolder);
    const exists = await isCluster(directory);
    if (!exists) await refuseUnfinishedRestore(dataDirectory);
    const password = await preparePassword(dataDirectory, exists);
    const logFile = path.join(dataDirectory, serverLogFile);
    const parts = { product, directory, logFile, password, binaries, account };
    if (exists)
      return { ...parts, launcher: await chooseLauncher(account, binaries.postgres, directory, product) };

    options.log(`Creating a new database in ${directory}.`);
    return { ...parts, launcher: await initializeCluster(parts) };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== "EACCES" && code !== "EPERM") throw error;
    throw new Error(
      `The data folder ${options.dataDirectory} cannot be used by the user who runs ${product.name}: ${message}. ` +
        `Run it as the folder's owner, or choose another folder with ${product.folderVariable}.`,
      { cause: error },
    );
  }
}

export async function prepareDataDirectory(
  directory: string,
  account: Pick<ServerAccount, "gid"> | undefined,
): Promise<string> {
  await mkdir(path.dirname(path.resolve(directory)), { recursive: true });
  try {
    await mkdir(directory, { mode: 0o700 });
    if (account !== undefined) {
      // We are root and the server is not. Its group may enter this folder but not list it. Without that, the server would
      // need a capability to enter every folder.
      await chown(directory, 0, account.gid);
      await chmod(directory, 0o710);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  // Processes recognize their server by this path, so it must not contain links.
  return realpath(directory);
}

/** A new, empty database in place of a failed restore would look like a success. */
async function refuseUnfinishedRestore(dataDirectory: string): Promise<void> {
  const unfinished = (await readdir(dataDirectory)).find((name) => name.startsWith(unfinishedRestorePrefix));
  if (unfinished === undefined) return;
  throw new Error(
    `A restore into ${dataDirectory} is running or was killed. If it was killed, delete ` +
      `${path.join(dataDirectory, unfinished)} and restore again.`,
  );
}

export async function isCluster(directory: string): Promise<boolean> {
  return exists(path.join(directory, "PG_VERSION"));
}

/** The password is created before the cluster. Of two first starts, both use the password of the faster one. */
async function preparePassword(dataDirectory: string, clusterExists: boolean): Promise<string> {
  const file = path.join(dataDirectory, passwordFile);
  if (!(await exists(file))) {
    if (clusterExists) {
      throw new Error(`${file} is missing. It holds the password of the database. Restore the file.`);
    }
    const draft = `${file}.${randomBytes(6).toString("hex")}`;
    await writeFile(draft, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600, flush: true });
    try {
      // Unlike a rename, a link never replaces the password of a faster process.
      await link(draft, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    } finally {
      await rm(draft);
    }
  }
  return (await readFile(file, "utf8")).trim();
}

async function exists(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch (error) {
    // A file without permission is not missing. Treating it as missing would create a second cluster.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}
