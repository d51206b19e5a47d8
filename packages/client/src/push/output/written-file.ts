import { createHash, type Hash } from "node:crypto";
import { open, type FileHandle } from "node:fs/promises";

/** The size and digest of a file at the last journal entry. */
export interface WrittenMark {
  bytes: number;
  /** People correct rows in place, and their corrections must not be lost. */
  digest: string;
}

/** What an earlier run wrote, and whether this run continues it. */
export interface Resumption {
  /** Undefined if the earlier run did not write the file. */
  mark: WrittenMark | undefined;
  goesOn: boolean;
  /** Whether the earlier run was killed, so that the file may contain more than the mark says. */
  wasKilled: boolean;
}

/** An append-only file with its size and digest. */
export class WrittenFile {
  readonly file: FileHandle;
  bytes: number;
  readonly #hash: Hash;

  constructor(file: FileHandle, bytes = 0, hash: Hash = createHash("sha256")) {
    this.file = file;
    this.bytes = bytes;
    this.#hash = hash;
  }

  mark(): WrittenMark {
    return { bytes: this.bytes, digest: this.#hash.copy().digest("hex") };
  }

  async write(text: string): Promise<void> {
    const content = Buffer.from(text);
    let written = 0;
    while (written < content.length) {
      const rest = content.length - written;
      const { bytesWritten } = await this.file.write(content, written, rest, this.bytes + written);
      written += bytesWritten;
    }
    this.bytes += content.length;
    this.#hash.update(content);
  }
}

/** A log, which people do not edit. Data after the mark is truncated. */
export async function openLog(path: string, bytes: number): Promise<WrittenFile> {
  const file = await open(path, bytes === 0 ? "w" : "r+");
  const { size } = await file.stat();
  if (size < bytes) {
    await file.close();
    throw new Error(
      `${path} is shorter than the journal says. Run the command with --restart to start over; records that are already stored are skipped`,
    );
  }
  await file.truncate(bytes);
  return new WrittenFile(file, bytes);
}

/** A file of rows that people correct. If it was moved away, it is recreated. If it was edited, it is left unchanged. */
export async function openCorrectable(
  path: string,
  { mark, goesOn, wasKilled }: Resumption,
): Promise<WrittenFile> {
  const file = mark && (await openIfThere(path));
  if (!file) return new WrittenFile(await open(path, "w"));
  const hash = await hashOf(file, mark.bytes);
  const { size } = await file.stat();
  const isOurs = hash.copy().digest("hex") === mark.digest && (size === mark.bytes || wasKilled);
  if (!isOurs) {
    await file.close();
    throw new Error(
      `${path} was changed after it was written, so new rows cannot be added to it. Rename it (it can be pushed under any name), and run the command again`,
    );
  }
  const bytes = goesOn ? mark.bytes : 0;
  await file.truncate(bytes);
  return new WrittenFile(file, bytes, goesOn ? hash : createHash("sha256"));
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, "r+");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

async function hashOf(file: FileHandle, bytes: number): Promise<Hash> {
  const hash = createHash("sha256");
  const content = file.createReadStream({ start: 0, end: bytes - 1, autoClose: false });
  for await (const chunk of content) hash.update(chunk as Buffer);
  return hash;
}
