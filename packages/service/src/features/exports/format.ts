import { createHash } from "node:crypto";

export const exportFormat = "gatehouse-export";
/** Increment this when older releases can no longer read the file. */
export const exportVersion = 1;

/** Lines between two marks. A continued export writes at most this many lines again. */
export const linesPerMark = 10_000;

/** Lines about the file itself. */
export type FrameKind = "head" | "mark" | "continued" | "end";
export const frameKinds: readonly string[] = ["head", "mark", "continued", "end"] satisfies FrameKind[];

export interface Head {
  kind: "head";
  format: typeof exportFormat;
  version: typeof exportVersion;
  /** The release that wrote the file. */
  release: string;
  organization: { uuid: string; name: string };
  /** The time of the snapshot. */
  takenAt: string;
  /** The number of lines that follow, by kind. */
  lines: Record<string, number>;
  settings: Record<string, unknown>;
  /** Retention may have deleted records with smaller identifiers. Null if it has not deleted any. */
  deletedBefore: string | null;
}

export interface Mark {
  kind: "mark";
  sha256: string;
  /** The parameter that continues the export after this mark. */
  resume: string;
}

export interface Continued {
  kind: "continued";
  /** The time of the snapshot that the following lines come from. */
  takenAt: string;
}

export interface End {
  kind: "end";
  lines: Record<string, number>;
  /** Uploads that still have their file. */
  uploadsLeftOut: number;
  sha256: string;
}

export function frameLine(line: Head | Mark | Continued | End): string {
  return `${JSON.stringify(line)}\n`;
}

/**
 * Proves that an export is complete: the SHA-256, in hex, of the value at the previous mark and of the lines
 * since, with their newlines. The values form a chain, so continuing an export only needs the last one.
 */
export class HashChain {
  #value: string;
  #hash = createHash("sha256");

  constructor(value = "") {
    this.#value = value;
    this.#hash.update(value);
  }

  add(lines: string | Buffer): void {
    this.#hash.update(lines);
  }

  /** Returns the value at this mark and starts the next one with it. */
  mark(): string {
    this.#value = this.#hash.digest("hex");
    this.#hash = createHash("sha256").update(this.#value);
    return this.#value;
  }
}
