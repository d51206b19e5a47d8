import { readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { ServiceHealth } from "@gatehouse-parking/contract/console";

/** `gatehouse backup` records the last backup in the data folder. */
const noteName = "last-backup.json";

type LastBackup = NonNullable<ServiceHealth["backup"]>;

export async function noteBackup(dataDirectory: string, backup: LastBackup): Promise<void> {
  const file = path.join(dataDirectory, noteName);
  const { createdAt, file: written, bytes } = backup;
  // The backup may run as another user than the service, possibly root. So the file is readable for all (the folder is
  // not), and a symbolic link that the service's user has placed there is not followed.
  await rm(`${file}.new`, { force: true });
  const note = `${JSON.stringify({ createdAt, file: written, bytes })}\n`;
  await writeFile(`${file}.new`, note, { flag: "wx", mode: 0o644 });
  await rename(`${file}.new`, file);
}

/** Null: the file does not exist or cannot be read. */
export async function readLastBackup(dataDirectory: string): Promise<LastBackup | null> {
  try {
    const noted = JSON.parse(await readFile(path.join(dataDirectory, noteName), "utf8")) as LastBackup;
    const { createdAt, file, bytes } = noted;
    if (Number.isNaN(Date.parse(createdAt)) || typeof file !== "string" || !Number.isSafeInteger(bytes))
      return null;
    return { createdAt, file, bytes };
  } catch {
    return null;
  }
}
