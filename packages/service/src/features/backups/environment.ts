import { readDuration, readInteger, readSwitch, readText, readTimeOfDay } from "../../core/config/readers.js";
import type { Variables } from "../../core/config/variables.js";

const dayMs = 86_400_000;

/** Backups of the embedded database that the service makes by itself. */
export const backupVariables = {
  backupDirectory: {
    name: "GATEHOUSE_BACKUP_DIR",
    read: readText,
    whenUnset: undefined,
    shownDefault: "off",
    description:
      "Folder for backups that the running service makes of the embedded database by itself, and `gatehouse backup` without a file. It is outside of the data folder, on another disk if possible, and is made if the folder above it is there. Unset: none are made.",
  },
  backupEveryMs: {
    name: "GATEHOUSE_BACKUP_EVERY",
    read: (text: string) => readDuration(text, "5m", "31d"),
    whenUnset: dayMs,
    shownDefault: "24h",
    description:
      "How long after a good backup the next is made, from 5m to 31d. One that was missed is made up for after the start.",
  },
  backupAtMinute: {
    name: "GATEHOUSE_BACKUP_AT",
    read: readTimeOfDay,
    whenUnset: undefined,
    shownDefault: "whenever a day has passed",
    description: "Make one backup a day at this time, in UTC: 03:00. Instead of GATEHOUSE_BACKUP_EVERY.",
  },
  backupsKept: {
    name: "GATEHOUSE_BACKUP_KEEP",
    read: (text: string) => readInteger(text, 1, 365),
    whenUnset: 7,
    shownDefault: "7",
    description: "How many good backups are kept. Older ones of the service's own making are deleted.",
  },
  backupsTried: {
    name: "GATEHOUSE_BACKUP_VERIFY",
    read: readSwitch,
    whenUnset: true,
    shownDefault: "on",
    description:
      "Whether each of these backups is restored once into a folder beside it, started and read. off: it saves the time, and the room of the whole database in GATEHOUSE_BACKUP_DIR, and a backup counts as good when it is complete.",
  },
} satisfies Partial<Variables>;
