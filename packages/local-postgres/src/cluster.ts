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
import { initializeCluster, removeAbandonedWorkshops } from "./initialize.js";
import { chooseLauncher, type Launcher } from "./launcher.js";
import { missingDatabase, type Product, findServerAccount, type ServerAccount } from "./product.js";

/** A cluster (PostgreSQL's word for the folder of one server's databases) and all that it takes to run a server on it. */
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
 * Finds the cluster of the data folder. If `mayCreate`, it makes the folder, the password and the cluster unless they
 * exist; any number of processes may do so at once.
 */
export async function prepareCluster(options: ClusterOptions): Promise<Cluster> {
  const { product } = options;
  try {
    // Before anything is written: in a wrong folder the command leaves nothing behind.
    if (!options.mayCreate && !(await isCluster(path.join(options.dataDirectory, clusterFolder))))
      throw missingDatabase(options.dataDirectory, product);
    const binaries = options.binaries ?? (await prepareBinaries(product));
    const account = await findServerAccount(path.join(options.dataDirectory, clusterFolder), product);
    const dataDirectory = await prepareDataDirectory(options.dataDirectory, account);
    await removeAbandonedWorkshops(dataDirectory);
    const directory = path.join(dataDirectory, clusterFolder);
    const exists = await isCluster(directory);
    if (!exists) await refuseUnfinishedRestore(dataDirectory);
    const password = await preparePassword(dataDirectory, exists);
    const logFile = path.join(dataDirectory, serverLogFile);
    const parts = { product, directory, logFile, password, binaries, account };
    if (exists)
      return { ...parts, launcher: await chooseLauncher(account, binaries.postgres, directory, product) };

    options.log(`Making a new database in ${directory}.`);
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
      // We are root and the server is not. Its group may pass through this folder of ours, though not list it; that
      // spares the server a capability which would let it into every folder.
      await chown(directory, 0, account.gid);
      await chmod(directory, 0o710);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  // One folder has one name, whatever links lead to it: processes recognize their server by it.
  return realpath(directory);
}

/** Whoever restores wants the data back; a new and empty database in its place would be taken for a success. */
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

/** The password is made before the cluster, and whoever makes it first wins, so that two first starts agree on it. */
async function preparePassword(dataDirectory: string, clusterExists: boolean): Promise<string> {
  const file = path.join(dataDirectory, passwordFile);
  if (!(await exists(file))) {
    if (clusterExists) {
      throw new Error(
        `${file} is missing, and without it nobody can sign in to the database beside it. Restore it.`,
      );
    }
    const draft = `${file}.${randomBytes(6).toString("hex")}`;
    await writeFile(draft, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600, flush: true });
    try {
      // Unlike a rename, a link never replaces the password of another process that was faster.
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
    // A file that we may not see is no missing file: treating it as one would build a second cluster.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}
