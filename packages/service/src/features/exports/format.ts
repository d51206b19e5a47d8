import { createHash } from "node:crypto";

export const exportFormat = "gatehouse-export";
/** Increased when older readers can no longer read a file. */
export const exportVersion = 1;

/** Lines between two marks. A continued export repeats at most this many. */
export const linesPerMark = 10_000;

/** Lines that are about the file itself. */
export type FrameKind = "head" | "mark" | "continued" | "end";
export const frameKinds: readonly string[] = ["head", "mark", "continued", "end"] satisfies FrameKind[];

export interface Head {
  kind: "head";
  format: typeof exportFormat;
  version: typeof exportVersion;
  /** The release that wrote the file. */
  release: string;
  organization: { uuid: string; name: string };
  /** The moment of the snapshot. */
  takenAt: string;
  /** Lines that follow, by kind. */
  lines: Record<string, number>;
  settings: Record<string, unknown>;
  /** Retention may have deleted records with smaller identifiers. Null: it has deleted none. */
  deletedBefore: string | null;
}

export interface Mark {
  kind: "mark";
  sha256: string;
  /** The parameter to continue the export after this mark. */
  resume: string;
}

export interface Continued {
  kind: "continued";
  /** The moment of the snapshot that the following lines are from. */
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
 * Proves that an export is complete: SHA-256 of the value at the previous mark, in hex, and of the lines since, with their
 * newlines. As a chain, so that continuing an export only needs the last value.
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
