export const exportFormat = "gatehouse-export";
/** The version of the format. It grows when readers of the version before can no longer read a file. */
export const exportVersion = 1;

/** Lines between two marks. Whoever continues an export gets at most so many again. */
export const linesPerMark = 10_000;

/** Lines that are about the file itself. */
export type FrameKind = "head" | "mark" | "continued" | "end";
export const frameKinds: readonly string[] = ["head", "mark", "continued", "end"] satisfies FrameKind[];

export interface Head {
  kind: "head";
  format: typeof exportFormat;
  version: typeof exportVersion;
  /** The release that made it. */
  release: string;
  organization: { uuid: string; name: string };
  /** The moment of the snapshot. */
  takenAt: string;
  /** Lines that follow, by kind. */
  lines: Record<string, number>;
  /** Those that the table of organization settings calls exported. */
  settings: Record<string, unknown>;
  /** Records with smaller identifiers may have been deleted because their time was over; null: none were. */
  deletedBefore: string | null;
}

export interface Mark {
  kind: "mark";
  sha256: string;
  /** Asks for what follows this mark. */
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
