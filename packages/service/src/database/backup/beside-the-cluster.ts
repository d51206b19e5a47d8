/**
 * What of the data folder is no part of the cluster and cannot be made anew: the database's password, the key of what
 * is encrypted in it, and the authority that clients trust. The server's log is left out.
 */
export const PASSWORD_FILE = "postgres.password";
export const FILES_BESIDE = ["secret.key", PASSWORD_FILE];
export const FOLDERS_BESIDE = ["tls"];
export const CLUSTER_FOLDER = "postgres";

/** Whether a backup may contain an entry of this name: it must not reach out of the data folder. */
export function belongsIntoDataFolder(name: string): boolean {
  const parts = name.replace(/\/$/, "").split("/");
  const [first = "", ...rest] = parts;
  const isPlain = parts.every((part) => !["", ".", ".."].includes(part) && !/[\\\0]/.test(part));
  const isFolder = first === CLUSTER_FOLDER || FOLDERS_BESIDE.includes(first);
  return isPlain && (isFolder || (FILES_BESIDE.includes(first) && rest.length === 0));
}
