import path from "node:path";
import { readDuration, readInteger, readSwitch, readText, readTimeOfDay } from "../../core/config/readers.js";
import type { GivenSettings, Variables } from "../../core/config/variables.js";

declare module "../../core/config/settings.js" {
  interface Settings {
    /** Undefined: no scheduled backups. */
    backupDirectory: string | undefined;
    backupEveryMs: number;
    /** Minutes after midnight, UTC. Undefined: by interval. */
    backupAtMinute: number | undefined;
    backupsKept: number;
    /** Whether each backup gets a test restore. */
    backupsTried: boolean;
  }
}

const dayMs = 86_400_000;

/** Scheduled backups of the embedded database. */
export const variables = {
  backupDirectory: {
    name: "GATEHOUSE_BACKUP_DIR",
    read: readText,
    whenUnset: undefined,
    shownDefault: "off",
    description:
      "Folder for scheduled backups of the embedded database, and for `gatehouse backup` without a file. It must be outside of the data folder, if possible on another disk. It is created if its parent folder exists. Unset: no scheduled backups.",
  },
  backupEveryMs: {
    name: "GATEHOUSE_BACKUP_EVERY",
    read: (text: string) => readDuration(text, "5m", "31d"),
    whenUnset: dayMs,
    shownDefault: "24h",
    description:
      "The time from a good backup to the next one, from 5m to 31d. A missed backup is made after the start.",
  },
  backupAtMinute: {
    name: "GATEHOUSE_BACKUP_AT",
    read: readTimeOfDay,
    whenUnset: undefined,
    shownDefault: "whenever a day has passed",
    description: "Make one backup a day at this time in UTC, such as 03:00. Replaces GATEHOUSE_BACKUP_EVERY.",
  },
  backupsKept: {
    name: "GATEHOUSE_BACKUP_KEEP",
    read: (text: string) => readInteger(text, 1, 365),
    whenUnset: 7,
    shownDefault: "7",
    description: "How many good backups to keep. Older scheduled backups are deleted.",
  },
  backupsTried: {
    name: "GATEHOUSE_BACKUP_VERIFY",
    read: readSwitch,
    whenUnset: true,
    shownDefault: "on",
    description:
      "Whether each scheduled backup is restored into a temporary folder beside it, started and read. off: a backup counts as good when it is complete. This saves time, and space for the whole database in GATEHOUSE_BACKUP_DIR.",
  },
} satisfies Partial<Variables>;

const backupFolder = "GATEHOUSE_BACKUP_DIR";
const backupDetails = ["EVERY", "AT", "KEEP", "VERIFY"].map((word) => `GATEHOUSE_BACKUP_${word}`);

export function contradictions({ texts, settings }: GivenSettings): string[] {
  const { backupDirectory, dataDirectory } = settings;
  const isGiven = (name: string): boolean => texts.has(name);
  const given = [backupFolder, ...backupDetails].filter(isGiven);
  if (given.length === 0) return [];
  if (isGiven("DATABASE_URL"))
    return [
      `${given.join(", ")}: scheduled backups are only for the embedded database, but DATABASE_URL is set. Back up that server with its own tools; docs/how-to/back-up-and-restore.md says how ("Back up your own PostgreSQL")`,
    ];
  const problems: string[] = [];
  if (backupDirectory === undefined)
    problems.push(`${given.join(", ")}: no backups are made without ${backupFolder}, the backup folder`);
  else if (isWithin(backupDirectory, dataDirectory))
    problems.push(
      `${backupFolder} is in the data folder (GATEHOUSE_DATA_DIR), and backups would be lost together with it. Choose another folder`,
    );
  if (isGiven("GATEHOUSE_BACKUP_AT") && isGiven("GATEHOUSE_BACKUP_EVERY"))
    problems.push(
      "GATEHOUSE_BACKUP_AT and GATEHOUSE_BACKUP_EVERY cannot be used together. Unset one of them",
    );
  return problems;
}

/** Compares names only. Links are resolved when a backup is made. */
function isWithin(folder: string, other: string): boolean {
  const [inner, outer] = [path.resolve(folder), path.resolve(other)];
  return inner === outer || inner.startsWith(outer.endsWith(path.sep) ? outer : `${outer}${path.sep}`);
}
