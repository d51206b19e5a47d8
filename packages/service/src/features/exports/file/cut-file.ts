import { invalidInput } from "../../../core/refusals/user-error.js";
import type { Head, Mark } from "../format.js";
import { readLines } from "./read-lines.js";

/** A file whose export was cut short: which organization's it is, and where it can go on. */
export interface CutFile {
  organizationId: string;
  /** The `resume` of the last whole mark. */
  resume: string;
  /** The length of the file up to and including that mark. */
  bytes: number;
}

const markStart = Buffer.from('{"kind":"mark",');
const endStart = Buffer.from('{"kind":"end",');

export async function readCutFile(path: string): Promise<CutFile> {
  let organizationId: string | undefined;
  let mark: { line: Buffer; end: number } | undefined;
  for await (const lines of readLines(path)) {
    for (const { bytes, end } of lines) {
      organizationId ??= organizationIn(path, bytes);
      if (startsWith(bytes, markStart)) mark = { line: bytes, end };
      if (startsWith(bytes, endStart))
        throw invalidInput(`${path} is whole: it has its last line. There is nothing to continue`);
    }
  }
  if (organizationId === undefined || mark === undefined)
    throw invalidInput(`${path} has no mark to continue from. Delete it and begin anew`);
  return { organizationId, resume: (JSON.parse(mark.line.toString()) as Mark).resume, bytes: mark.end };
}

function organizationIn(path: string, firstLine: Buffer): string {
  try {
    return (JSON.parse(firstLine.toString()) as Head).organization.uuid;
  } catch {
    throw invalidInput(`${path} does not begin as an export of an organization does`);
  }
}

function startsWith(line: Buffer, start: Buffer): boolean {
  return line.subarray(0, start.length).equals(start);
}
