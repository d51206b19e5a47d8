import { createWriteStream } from "node:fs";
import { open, rename, stat, truncate } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { invalidInput } from "../../../core/refusals/user-error.js";
import type { Actor } from "../../../core/audit/audit.js";
import type { ExportQueue } from "../export-queue.js";
import { readCutFile } from "./cut-file.js";

/** What a file is called until it is whole. */
export const partialSuffix = ".partial";
/** It holds everything that is known of people. */
const mode = 0o600;

interface Writing {
  actor: Actor;
  signal?: AbortSignal | undefined;
}

/** Writes a new file. It gets its name when it is whole; one that is cut short can be continued. */
export async function writeExport(
  desk: ExportQueue,
  { organizationId, file, actor, signal }: Writing & { organizationId: string; file: string },
): Promise<string> {
  const partial = `${file}${partialSuffix}`;
  await requirePlace(file);
  const content = await desk.open({ organizationId, actor });
  await append(content, partial, signal, "wx");
  return finish(partial);
}

/** Goes on with a file that was cut short, behind its last mark. */
export async function continueFile(
  desk: ExportQueue,
  { file, actor, signal }: Writing & { file: string },
): Promise<string> {
  const { organizationId, resume, bytes } = await readCutFile(file);
  const content = await desk.open({ organizationId, actor, resume });
  await truncate(file, bytes);
  await append(content, file, signal, "a");
  return finish(file);
}

/** Before anything is read and noted in the audit log: a file cannot be put in a folder that is not there, or over one. */
async function requirePlace(file: string): Promise<void> {
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
      throw invalidInput(`${file} is there already: continue it with --resume ${file}, or delete it`);
    // Nothing was written that could be continued.
    if ((error as NodeJS.ErrnoException).syscall === "open") throw error;
    throw invalidInput(
      `The export was cut short: ${(error as Error).message}. Continue it with: gatehouse export --resume ${file}`,
    );
  }
  await flush(file);
}

/** On the disk before it is called whole. */
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
