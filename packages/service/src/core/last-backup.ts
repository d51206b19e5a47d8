import { readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { ServiceHealth } from "@gatehouse-parking/contract/console";

/** `gatehouse backup` writes where it is told to; in the data folder it leaves a note of the last one. */
const noteName = "last-backup.json";

type LastBackup = NonNullable<ServiceHealth["backup"]>;

export async function noteBackup(dataDirectory: string, backup: LastBackup): Promise<void> {
  const file = path.join(dataDirectory, noteName);
  const { createdAt, file: written, bytes } = backup;
  // Whoever backs up may be another user than the one who serves; the folder keeps everybody else out.
  // It may be root, for whom the one who serves must not choose what is overwritten: a link that lies there is not followed.
  await rm(`${file}.new`, { force: true });
  const note = `${JSON.stringify({ createdAt, file: written, bytes })}\n`;
  await writeFile(`${file}.new`, note, { flag: "wx", mode: 0o644 });
  await rename(`${file}.new`, file);
}

/** Null: there is no note, or none that can be read. */
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
