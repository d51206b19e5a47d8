import path from "node:path";
import { readFile, stat } from "node:fs/promises";

/** The product whose data the server holds: what its people call things, for messages that tell them what to do. */
export interface Product {
  /** As in "Run Gatehouse as an ordinary user". */
  name: string;
  /** Names the role, the database, the connections, the backups and the command: small letters only. */
  identifier: string;
  /** The variable that names the data folder. */
  folderVariable: string;
  /** The variable that names a server of the operator's own, to be used instead of this one. */
  serverVariable: string;
  /** The command that makes a new, empty database. */
  createCommand: string;
}

/** For a data folder without a database, where none may be made. */
export function missingDatabase(dataDirectory: string, product: Product): Error {
  const { name, folderVariable, createCommand } = product;
  return new Error(
    `There is no database in ${path.resolve(dataDirectory)}. Run the command in the folder where ${name} runs, ` +
      `or set ${folderVariable}. To create a new database, run: ${createCommand}`,
  );
}

/** What helps wherever the local server does not run. */
export function otherServer({ serverVariable }: Product): string {
  return `set ${serverVariable} to a PostgreSQL server`;
}

/** The operating system's account that runs the server when we are root: PostgreSQL refuses to run as root. */
export interface ServerAccount {
  name: string;
  uid: number;
  gid: number;
}

/** Undefined: the server runs as the user who runs us, which is the normal case. */
export async function findServerAccount(
  clusterDirectory: string,
  product: Product,
): Promise<ServerAccount | undefined> {
  if (process.geteuid?.() !== 0) return undefined;
  // A cluster that an ordinary user made stays that user's: the server must own its folder.
  const owner = await stat(clusterDirectory).catch(() => undefined);
  if (owner !== undefined && owner.uid !== 0) {
    return { name: `user ${owner.uid}`, uid: owner.uid, gid: owner.gid };
  }
  const accounts = (await readFile("/etc/passwd", "utf8")).split("\n").map((line) => line.split(":"));
  for (const wanted of ["postgres", "nobody"]) {
    const [name, , uid, gid] = accounts.find(([name]) => name === wanted) ?? [];
    if (name !== undefined && Number(uid) !== 0) return { name, uid: Number(uid), gid: Number(gid) };
  }
  throw new Error(
    "PostgreSQL refuses to run as root, and neither the user postgres nor nobody exists to run it. " +
      `Run ${product.name} as an ordinary user, or ${otherServer(product)}.`,
  );
}
