import { stat } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** The user that root can become to see what ordinary users see. */
export const nobody = { uid: 65_534, gid: 65_534 };

const checkout = fileURLToPath(new URL("..", import.meta.url));

/** Whether anyone may enter the checkout; one in root's private folder can be run by root alone. */
export async function isOpenToAll(folder = checkout): Promise<boolean> {
  const { mode } = await stat(folder);
  if ((mode & 0o005) !== 0o005) return false;
  return folder === path.dirname(folder) || isOpenToAll(path.dirname(folder));
}
