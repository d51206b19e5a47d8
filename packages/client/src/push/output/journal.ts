import { createHash, type Hash } from "node:crypto";
import { open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Prepared } from "@gatehouse-parking/record-files";
import type { FileMarks } from "./outcome-files.js";
import type { Tally } from "./summary.js";

/**
 * How far a push has come. It is written after each answer, once the outcomes are on the disk, so that after a crash
 * the same command goes on from there: outcomes written later are cut off, and the records behind it are sent. A batch
 * whose answer was lost is sent again; what it stored is then reported as Skipped.
 *
 * It carries a digest of all records so far, in the form they were sent. So it shows not only whether the file
 * is the same but also whether it was read in the same way (mapping, time zone), and a file that has only grown is
 * simply continued.
 */
export interface JournalEntry extends FileMarks {
  tally: Tally;
  digest: string;
  /** The latest run of the service, which shows whose push this is when the key is another one. */
  run?: string;
}

/** Whose push this is. With another service, organization or resource, the position would mean nothing. */
export interface JournalOwner {
  resource: string;
  url: string;
  /** A fingerprint; the key itself is never written. */
  key: string;
}

export interface Journal {
  /** Where an earlier run of the command stopped; undefined at the beginning. */
  last: JournalEntry | undefined;
  /** What an earlier run has written down, even if this one begins anew. */
  written: FileMarks | undefined;
  /** Whether the earlier run died, so that it may have written more. */
  wasKilled: boolean;
  /** To be called before the outcome files change. */
  begin(): Promise<void>;
  /** When it resolves, the position is on the disk. */
  write(entry: JournalEntry): Promise<void>;
  /** To be called when the outcome files are as the last entry says, and stay so. */
  end(): Promise<void>;
}

const journalFile = "journal.json";
const keyFingerprintLength = 16;

export function fingerprintOfKey(apiKey: string): string {
  return createHash("sha256").update(apiKey).digest("hex").slice(0, keyFingerprintLength);
}

interface JournalOptions {
  restart: boolean;
  /** Whether a run belongs to the organization of the key. */
  ownsRun: (referenceUuid: string) => Promise<boolean>;
}

export async function openJournal(
  folder: string,
  owner: JournalOwner,
  { restart, ownsRun }: JournalOptions,
): Promise<Journal> {
  const path = join(folder, journalFile);
  const found = await readJournal(path).catch((error: unknown) => {
    if (restart) return undefined;
    throw error;
  });
  if (found && !restart) await requireSameOwner(found, owner, folder, ownsRun);
  let last = restart ? undefined : found?.last;
  const replace = (isRunning: boolean) =>
    last ? replaceFile(path, JSON.stringify({ owner, last, isRunning })) : rm(path, { force: true });
  return {
    last,
    written: found?.last,
    wasKilled: found?.isRunning ?? false,
    begin: () => replace(true),
    write(entry) {
      last = entry;
      return replace(true);
    },
    end: () => replace(false),
  };
}

interface JournalContent {
  owner: JournalOwner;
  last: JournalEntry;
  isRunning: boolean;
}

async function readJournal(path: string): Promise<JournalContent | undefined> {
  try {
    return JSON.parse(await readFile(path, "utf8")) as JournalContent;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new Error(
      `The journal ${path} cannot be read: ${(error as Error).message}. Start over with --restart; records that are already stored are skipped`,
      { cause: error },
    );
  }
}

/** Either the old content or the new one is there, whenever the process dies. */
async function replaceFile(path: string, content: string): Promise<void> {
  const draft = `${path}.new`;
  const file = await open(draft, "w");
  try {
    await file.writeFile(content);
    await file.datasync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
}

/** Keys are rotated and revoked; what was pushed stays the organization's. */
async function requireSameOwner(
  { owner: found, last }: JournalContent,
  wanted: JournalOwner,
  folder: string,
  ownsRun: JournalOptions["ownsRun"],
): Promise<void> {
  const others = (["resource", "url", "key"] as const).filter((part) => found[part] !== wanted[part]);
  const isOnlyKey = others.length === 1 && others[0] === "key";
  if (others.length === 0 || (isOnlyKey && last.run !== undefined && (await ownsRun(last.run)))) return;
  const names = { resource: "resource", url: "address", key: "API key" };
  throw new Error(
    `${folder} holds a push with another ${others.map((part) => names[part]).join(" and another ")}. Choose another folder with --output, or start over with --restart; records that are already stored are skipped`,
  );
}

/** The digest of the columns and of the records that were dealt with, one after the other. */
export class RecordDigest {
  readonly #hash: Hash = createHash("sha256");

  constructor(columns: readonly string[]) {
    this.#hash.update(JSON.stringify(columns));
  }

  add(record: Prepared): void {
    this.#hash.update(record.text ?? `unsent:${JSON.stringify(record.cells)}`).update("\n");
  }

  value(): string {
    return this.#hash.copy().digest("hex");
  }
}

/** Passes over the records that an earlier run has dealt with, and makes sure that they are the same ones. */
export async function* behindJournal(
  records: AsyncIterable<Prepared>,
  last: JournalEntry | undefined,
  digest: RecordDigest,
  isStandardInput: boolean,
): AsyncGenerator<Prepared> {
  let passed = 0;
  for await (const record of records) {
    if (last && passed < last.tally.records) {
      digest.add(record);
      passed += 1;
      if (passed === last.tally.records && digest.value() !== last.digest)
        throw changed(last, isStandardInput);
    } else yield record;
  }
  if (last && passed < last.tally.records) throw changed(last, isStandardInput);
}

function changed(last: JournalEntry, isStandardInput: boolean): Error {
  const what = `The first ${last.tally.records} records are not those that were pushed before`;
  return new Error(
    isStandardInput
      ? `${what} from standard input. Give each stream a folder of its own with --output, or start over with --restart (records that are already stored are skipped)`
      : `${what}: the file, the mapping or the time zone has changed. Start over with --restart (records that are already stored are skipped), or choose another folder with --output`,
  );
}
