import path from "node:path";

/**
 * A backup that the service made by itself, and the note that lies beside it. The name says whose it is and in which order it
 * was made: folders may be shared, and clocks be set.
 */
export interface KeptBackup {
  file: string;
  /** Counts from 1. The order of numbers is the order of making, whatever the clock said. */
  number: number;
  createdAt: string;
  bytes: number;
  trial: Trial;
  /** Why it could not be restored, in words. */
  problem: string | null;
  triedAt: string | null;
}

/** What is known of its restore. `pending` stays where the process was ended in between. */
export type Trial = "passed" | "failed" | "left out" | "pending";
const trials: readonly string[] = ["passed", "failed", "left out", "pending"] satisfies Trial[];

/** Not gatehouse-*: that is what the systemd timer of deploy/ calls its own, and deletes by their age. */
const prefix = "gatehouse.";
const archiveSuffix = ".tar.gz";
const noteSuffix = ".json";
const numberDigits = 6;

export interface BackupName {
  number: number;
  createdAt: string;
}

/** `database` is what tells our database from others that may share the folder. */
export function backupName(database: string, number: number, moment: Date): string {
  const time = moment.toISOString().slice(0, 19).replaceAll(":", "-");
  return `${prefix}${database}.${String(number).padStart(numberDigits, "0")}.${time}Z${archiveSuffix}`;
}

/** Undefined: not a backup of this database that the service made. */
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

/** The folder of a restore for a trial. */
export function isTrial(name: string, database: string): boolean {
  const start = trialPrefix(database);
  return name.startsWith(start) && /^[0-9A-Za-z]{6}$/.test(name.slice(start.length));
}

/** A backup that is not complete, or a note that is not. */
export function isDraft(name: string, database: string): boolean {
  const [whole = "", rest] = splitOnce(name, ".partial-");
  if (rest !== undefined) return readBackupName(whole, database) !== undefined && /^[0-9a-f]{12}$/.test(rest);
  const note = name.endsWith(`${noteSuffix}.new`) ? name.slice(0, -`${noteSuffix}.new`.length) : undefined;
  return note !== undefined && readBackupName(note + archiveSuffix, database) !== undefined;
}

/** What makes its name unique are the six letters and digits that mkdtemp adds. */
export function trialPrefix(database: string): string {
  return `${prefix}${database}.trial-`;
}

function splitOnce(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + separator.length)];
}

/** What a note says; whatever is missing or unreadable in it is taken from the file itself, as not tried. */
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

export function writtenNote({ file, bytes, createdAt, trial, problem, triedAt }: KeptBackup): string {
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

/** Whether it counts: it was restored once, or nobody asks for that. */
export function isGood({ trial }: KeptBackup, areTried: boolean): boolean {
  return trial === "passed" || (!areTried && trial === "left out");
}
