import { createHash, type Hash } from "node:crypto";
import { open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Prepared } from "@gatehouse-parking/record-files";
import type { FileMarks } from "./outcome-files.js";
import type { Tally } from "./tally.js";

/**
 * The position of a push. It is written after each response, once the outcomes are on disk, so that the same command
 * continues there after a crash: later outcomes are truncated, and the remaining records are sent. A batch whose
 * response was lost is resent, and its stored records are reported as Skipped.
 *
 * It contains a digest of all records so far, as they were sent. The digest detects a different file, mapping or time
 * zone, but allows a file to which rows were appended.
 */
export interface JournalEntry extends FileMarks {
  tally: Tally;
  digest: string;
  /** The latest import, which proves that the push belongs to the organization if the key has changed. */
  run?: string;
}

/**
 * The identity of the push. For another service, organization or resource the position would be meaningless.
 */
export interface JournalOwner {
  resource: string;
  url: string;
  /** A fingerprint; the key itself is never stored. */
  key: string;
}

export interface Journal {
  /** Where the previous run stopped; undefined for a new push. */
  last: JournalEntry | undefined;
  /** What the previous run wrote, even if this run starts over. */
  written: FileMarks | undefined;
  /** Whether the previous run was killed, so that it may have written more than the journal says. */
  wasKilled: boolean;
  /** Call before changing the outcome files. */
  begin(): Promise<void>;
  /** Resolves when the position is on disk. */
  write(entry: JournalEntry): Promise<void>;
  /** Call when the outcome files match the last entry and no longer change. */
  end(): Promise<void>;
}

const journalFile = "journal.json";
const keyFingerprintLength = 16;

export function fingerprintOfKey(apiKey: string): string {
  return createHash("sha256").update(apiKey).digest("hex").slice(0, keyFingerprintLength);
}

interface JournalOptions {
  restart: boolean;
  /** Whether an import belongs to the organization of the key. */
  isOwnImport: (referenceUuid: string) => Promise<boolean>;
}

export async function openJournal(
  folder: string,
  owner: JournalOwner,
  { restart, isOwnImport }: JournalOptions,
): Promise<Journal> {
  const path = join(folder, journalFile);
  const found = await readJournal(path).catch((error: unknown) => {
    if (restart) return undefined;
    throw error;
  });
  if (found && !restart) await requireSameOwner(found, owner, folder, isOwnImport);
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
      `Cannot read the journal ${path}: ${(error as Error).message}. Start over with --restart; existing records are skipped`,
      { cause: error },
    );
  }
}

/** Atomic: after a crash the file has either the old or the new content. */
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

/** Keys are rotated and revoked, but the push still belongs to the organization. */
async function requireSameOwner(
  { owner: found, last }: JournalContent,
  wanted: JournalOwner,
  folder: string,
  isOwnImport: JournalOptions["isOwnImport"],
): Promise<void> {
  const others = (["resource", "url", "key"] as const).filter((part) => found[part] !== wanted[part]);
  const isOnlyKey = others.length === 1 && others[0] === "key";
  if (others.length === 0 || (isOnlyKey && last.run !== undefined && (await isOwnImport(last.run)))) return;
  const names = { resource: "resource", url: "address", key: "API key" };
  throw new Error(
    `${folder} contains a push with a different ${others.map((part) => names[part]).join(" and a different ")}. Choose another folder with --output, or start over with --restart; existing records are skipped`,
  );
}

/** A running digest of the columns and all processed records. */
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

/** Skips the records that a previous run processed, and verifies that they are unchanged. */
export async function* skipProcessed(
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
  const what = `The first ${last.tally.records} records differ from those of the earlier push`;
  return new Error(
    isStandardInput
      ? `${what} from standard input. Use a separate folder for each stream with --output, or start over with --restart (existing records are skipped)`
      : `${what}: the file, the mapping or the time zone has changed. Start over with --restart (existing records are skipped), or choose another folder with --output`,
  );
}
