import { statfs } from "node:fs/promises";

const megabyte = 1024 * 1024;
/** For the part of the log that comes with a backup, and so that the disk is not filled to its last byte. */
const reserveBytes = 128 * megabyte;

export interface RoomNeeds {
  folder: string;
  /** The size of the database's files, before they are compressed. */
  databaseBytes: number;
  /** How large the last backup became; undefined: there was none, and it may not get smaller at all. */
  lastBytes: number | undefined;
  isTried: boolean;
}

/** About how much a backup takes while it is made: itself, and the whole database for the trial. */
export function roomFor({ databaseBytes, lastBytes, isTried }: Omit<RoomNeeds, "folder">): number {
  const archive = lastBytes === undefined ? databaseBytes : Math.min(databaseBytes, 2 * lastBytes);
  return archive + (isTried ? databaseBytes : 0) + reserveBytes;
}

/** Says that the disk is too full before anything is written, instead of filling it. */
export async function requireRoom(needs: RoomNeeds): Promise<void> {
  const { bavail, bsize } = await statfs(needs.folder);
  const free = bavail * bsize;
  const wanted = roomFor(needs);
  if (free >= wanted) return;
  const inMegabytes = (bytes: number): string => `${Math.ceil(bytes / megabyte)} MB`;
  throw new Error(
    `There is too little room in ${needs.folder}: ${inMegabytes(free)} are free, and a backup` +
      `${needs.isTried ? " with the restore that tries it" : ""} needs about ${inMegabytes(wanted)}.` +
      (needs.isTried ? " GATEHOUSE_BACKUP_VERIFY=off does without the restore." : ""),
  );
}
