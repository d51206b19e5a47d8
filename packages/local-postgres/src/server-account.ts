import { readFile, stat } from "node:fs/promises";
import { otherServer, type Product } from "./product.js";

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
