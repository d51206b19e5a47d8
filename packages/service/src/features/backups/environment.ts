import path from "node:path";
import { readDuration, readInteger, readSwitch, readText, readTimeOfDay } from "../../core/config/readers.js";
import type { GivenSettings, Variables } from "../../core/config/variables.js";

declare module "../../core/config/settings.js" {
  interface Settings {
    /** Undefined: the service makes no backups by itself. */
    backupDirectory: string | undefined;
    backupEveryMs: number;
    /** Minutes after midnight, UTC. Undefined: whenever the interval is over. */
    backupAtMinute: number | undefined;
    backupsKept: number;
    /** Whether each backup is restored once for a trial. */
    backupsTried: boolean;
  }
}

const dayMs = 86_400_000;

/** Backups of the embedded database that the service makes by itself. */
export const variables = {
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

const backupFolder = "GATEHOUSE_BACKUP_DIR";
const backupDetails = ["EVERY", "AT", "KEEP", "VERIFY"].map((word) => `GATEHOUSE_BACKUP_${word}`);

export function contradictions({ texts, settings }: GivenSettings): string[] {
  const { backupDirectory, dataDirectory } = settings;
  const isGiven = (name: string): boolean => texts.has(name);
  const given = [backupFolder, ...backupDetails].filter(isGiven);
  if (given.length === 0) return [];
  if (isGiven("DATABASE_URL"))
    return [
      `${given.join(", ")}: Gatehouse backs up only its embedded database by itself, and DATABASE_URL names a server of your own. Back that up with its own tools; docs/how-to/back-up-and-restore.md says how ("Of a PostgreSQL of your own")`,
    ];
  const problems: string[] = [];
  if (backupDirectory === undefined)
    problems.push(`${given.join(", ")}: no backups are made without ${backupFolder}, the folder for them`);
  else if (isWithin(backupDirectory, dataDirectory))
    problems.push(
      `${backupFolder} lies in the data folder (GATEHOUSE_DATA_DIR), and backups would be lost together with it. Choose another place`,
    );
  if (isGiven("GATEHOUSE_BACKUP_AT") && isGiven("GATEHOUSE_BACKUP_EVERY"))
    problems.push(
      "GATEHOUSE_BACKUP_AT is for one backup a day, and GATEHOUSE_BACKUP_EVERY for any other interval. Take one of them out",
    );
  return problems;
}

/** By their names alone. Whoever makes a backup looks behind links. */
function isWithin(folder: string, other: string): boolean {
  const [inner, outer] = [path.resolve(folder), path.resolve(other)];
  return inner === outer || inner.startsWith(outer.endsWith(path.sep) ? outer : `${outer}${path.sep}`);
}
