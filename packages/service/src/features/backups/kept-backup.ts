import path from "node:path";
import type pg from "pg";

/** A backup that the service made on its schedule, with the note beside it. The name has the database and a number. */
export interface KeptBackup {
  file: string;
  /** From 1. Gives the order, because clocks can be wrong. */
  number: number;
  createdAt: string;
  bytes: number;
  trial: Trial;
  /** Why it could not be restored. */
  problem: string | null;
  triedAt: string | null;
}

/** The result of the test restore. `pending` remains if the process was killed. */
export type Trial = "passed" | "failed" | "left out" | "pending";
const trials: readonly string[] = ["passed", "failed", "left out", "pending"] satisfies Trial[];

/** Not gatehouse-*, because the systemd timer in deploy/ deletes files of that name by age. */
const prefix = "gatehouse.";
const archiveSuffix = ".tar.gz";
const noteSuffix = ".json";
const numberDigits = 6;

/**
 * Identifies this database in names of backups: the system identifier of the cluster, which a restore keeps, in letters and
 * digits.
 */
export async function readDatabaseName(client: Pick<pg.ClientBase, "query">): Promise<string> {
  const { rows } = await client.query<{ number: string }>(
    "select system_identifier::text as number from pg_control_system()",
  );
  return BigInt(rows[0]?.number ?? "0").toString(36);
}

export interface BackupName {
  number: number;
  createdAt: string;
}

export function backupName(database: string, number: number, moment: Date): string {
  const time = moment.toISOString().slice(0, 19).replaceAll(":", "-");
  return `${prefix}${database}.${String(number).padStart(numberDigits, "0")}.${time}Z${archiveSuffix}`;
}

/** Undefined: the file is not a scheduled backup of this database. */
export function readBackupName(name: string, database: string): BackupName | undefined {
  const parts =
    /^gatehouse\.([0-9a-z]{1,16})\.(\d{6,9})\.(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.tar\.gz$/.exec(name);
  if (parts?.[1] !== database) return undefined;
  const createdAt = new Date(`${parts[3]}T${parts[4]}:${parts[5]}:${parts[6]}Z`);
  if (Number.isNaN(createdAt.getTime())) return undefined;
  return { number: Number(parts[2]), createdAt: createdAt.toISOString() };
}

export function noteFileOf(file: string): string {
  return file.slice(0, -archiveSuffix.length) + noteSuffix;
}

/** Whether this is the folder of a test restore. */
export function isTestRestore(name: string, database: string): boolean {
  const start = testRestorePrefix(database);
  return name.startsWith(start) && /^[0-9A-Za-z]{6}$/.test(name.slice(start.length));
}

/** Whether this is an incomplete backup or note. */
export function isDraft(name: string, database: string): boolean {
  const [whole = "", rest] = splitOnce(name, ".partial-");
  if (rest !== undefined) return readBackupName(whole, database) !== undefined && /^[0-9a-f]{12}$/.test(rest);
  const note = name.endsWith(`${noteSuffix}.new`) ? name.slice(0, -`${noteSuffix}.new`.length) : undefined;
  return note !== undefined && readBackupName(note + archiveSuffix, database) !== undefined;
}

/** mkdtemp adds six letters and digits. */
export function testRestorePrefix(database: string): string {
  return `${prefix}${database}.trial-`;
}

function splitOnce(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + separator.length)];
}

/** Without a readable note, a backup counts as not tested. */
export function readNote(text: string | undefined, known: KeptBackup): KeptBackup {
  const noted = parseObject(text);
  const { createdAt, trial, problem, triedAt } = noted;
  if (typeof createdAt !== "string" || Number.isNaN(Date.parse(createdAt))) return known;
  return {
    ...known,
    createdAt: new Date(createdAt).toISOString(),
    trial: typeof trial === "string" && trials.includes(trial) ? (trial as Trial) : "pending",
    problem: typeof problem === "string" ? problem : null,
    triedAt: typeof triedAt === "string" && !Number.isNaN(Date.parse(triedAt)) ? triedAt : null,
  };
}

export function formatNote({ file, bytes, createdAt, trial, problem, triedAt }: KeptBackup): string {
  return `${JSON.stringify({ file: path.basename(file), bytes, createdAt, trial, problem, triedAt })}\n`;
}

function parseObject(text: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? "");
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Whether it was restored successfully, or no test is required. */
export function isGood({ trial }: KeptBackup, areTried: boolean): boolean {
  return trial === "passed" || (!areTried && trial === "left out");
}
