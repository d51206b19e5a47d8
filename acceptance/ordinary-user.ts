import { stat } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** The user that root can switch to, to test as an ordinary user. */
export const unprivilegedUser = { uid: 65_534, gid: 65_534 };

const checkout = fileURLToPath(new URL("..", import.meta.url));

/** Whether all users may enter the checkout. A checkout in root's private folder can only be run by root. */
export async function isOpenToAll(folder = checkout): Promise<boolean> {
  const { mode } = await stat(folder);
  if ((mode & 0o005) !== 0o005) return false;
  return folder === path.dirname(folder) || isOpenToAll(path.dirname(folder));
}
