import { createWriteStream } from "node:fs";
import { open, rename, stat, truncate } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { invalidInput } from "../../../core/refusals/user-error.js";
import type { Actor } from "../../../core/audit/audit.js";
import type { ExportQueue } from "../export-queue.js";
import type { Head, Mark } from "../format.js";
import { readLines } from "./read-lines.js";

/** The suffix of incomplete files. */
export const partialSuffix = ".partial";
/** Readable by its owner only, because the file has personal data. */
const mode = 0o600;

interface Writing {
  actor: Actor;
  signal?: AbortSignal | undefined;
}

/** Writes a new file and renames it when it is complete. An incomplete file can be continued. */
export async function writeExport(
  queue: ExportQueue,
  { organizationId, file, actor, signal }: Writing & { organizationId: string; file: string },
): Promise<string> {
  const partial = `${file}${partialSuffix}`;
  await requireWritablePath(file);
  const content = await queue.open({ organizationId, actor });
  await append(content, partial, signal, "wx");
  return finish(partial);
}

/** Continues an incomplete file after its last mark. */
export async function continueFile(
  queue: ExportQueue,
  { file, actor, signal }: Writing & { file: string },
): Promise<string> {
  const { organizationId, resume, bytes } = await readIncompleteFile(file);
  const content = await queue.open({ organizationId, actor, resume });
  await truncate(file, bytes);
  await append(content, file, signal, "a");
  return finish(file);
}

/** Fails before the export starts if the file cannot be created. */
async function requireWritablePath(file: string): Promise<void> {
  await stat(path.dirname(path.resolve(file)));
  const found = await stat(file).catch(() => undefined);
  if (found?.isDirectory()) throw invalidInput(`${file} is a folder, not a file`);
}

async function append(
  content: NodeJS.ReadableStream,
  file: string,
  signal: AbortSignal | undefined,
  flags: "wx" | "a",
): Promise<void> {
  try {
    await pipeline(content, createWriteStream(file, { flags, mode }), { signal });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST")
      throw invalidInput(`${file} already exists. Continue it with --resume ${file}, or delete it`);
    // Nothing was written, so there is nothing to continue.
    if ((error as NodeJS.ErrnoException).syscall === "open") throw error;
    throw invalidInput(
      `The export is incomplete: ${(error as Error).message}. Continue it with: gatehouse export --resume ${file}`,
    );
  }
  await flush(file);
}

async function flush(file: string): Promise<void> {
  const handle = await open(file, "r+");
  await handle.sync();
  await handle.close();
}

async function finish(file: string): Promise<string> {
  if (!file.endsWith(partialSuffix)) return file;
  const whole = file.slice(0, -partialSuffix.length);
  await rename(file, whole);
  return whole;
}

interface IncompleteFile {
  organizationId: string;
  /** The `resume` of the last complete mark. */
  resume: string;
  /** The length of the file up to and including that mark. */
  bytes: number;
}

const markStart = Buffer.from('{"kind":"mark",');
const endStart = Buffer.from('{"kind":"end",');

async function readIncompleteFile(path: string): Promise<IncompleteFile> {
  let organizationId: string | undefined;
  let mark: { line: Buffer; end: number } | undefined;
  for await (const lines of readLines(path)) {
    for (const { bytes, end } of lines) {
      organizationId ??= organizationIn(path, bytes);
      if (startsWith(bytes, markStart)) mark = { line: bytes, end };
      if (startsWith(bytes, endStart))
        throw invalidInput(`${path} is complete. There is nothing to continue`);
    }
  }
  if (organizationId === undefined || mark === undefined)
    throw invalidInput(`${path} has no mark to continue from. Delete it and start a new export`);
  return { organizationId, resume: (JSON.parse(mark.line.toString()) as Mark).resume, bytes: mark.end };
}

function organizationIn(path: string, firstLine: Buffer): string {
  try {
    return (JSON.parse(firstLine.toString()) as Head).organization.uuid;
  } catch {
    throw invalidInput(`${path} is not an export of an organization`);
  }
}

function startsWith(line: Buffer, start: Buffer): boolean {
  return line.subarray(0, start.length).equals(start);
}
