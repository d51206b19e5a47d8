import {
  isObject,
  isStorableText,
  isUuid,
  isWithinLength,
  maxOrganizationNameLength,
  parseTimestamp,
} from "@gatehouse-parking/contract";
import { exportedNames, findUnexportable } from "../../../core/organizations/settings.js";
import { invalidInput } from "../../../core/refusals/user-error.js";
import {
  exportFormat,
  exportVersion,
  frameKinds,
  HashChain,
  type End,
  type Head,
  type Mark,
} from "../format.js";
import type { Section } from "../../../core/stored-tables/section.js";
import { readLines, type Line } from "./read-lines.js";

/**
 * The contents of a file, in order: its head, then rows, and the end line after the hash of the whole file
 * was checked.
 */
export type ExportPart =
  | { is: "head"; head: Head }
  | { is: "row"; section: Section; line: Line }
  | { is: "end"; end: End; continuedAt: string[] };

const newline = Buffer.from("\n");
const kindStart = /^\{"kind":"([A-Za-z]{1,40})"[,}]/;
const longestKind = 64;

/**
 * Reads a file and rejects anything that an export does not write: invalid lines, lines out of order, altered
 * lines, and truncated files. The error names the line.
 */
export async function* readExport(path: string, sections: readonly Section[]): AsyncGenerator<ExportPart[]> {
  const reading = new Reading(sections);
  for await (const lines of readLines(path)) {
    const parts = lines.flatMap((line) => reading.take(line));
    if (parts.length > 0) yield parts;
  }
  reading.requireEnd(path);
}

class Reading {
  readonly #chain = new HashChain();
  readonly #sections: readonly Section[];
  readonly #counted: Record<string, number>;
  readonly #continuedAt: string[] = [];
  #section = 0;
  #sha256: string | undefined;
  #isMarked = false;
  #state: "head" | "rows" | "over" = "head";

  constructor(sections: readonly Section[]) {
    this.#sections = sections;
    this.#counted = Object.fromEntries(sections.map(({ kind }) => [kind, 0]));
  }

  take(line: Line): ExportPart[] {
    const kind = kindStart.exec(line.bytes.toString("latin1", 0, longestKind))?.[1];
    if (this.#state === "over") refuse(line, "the file continues after its last line");
    if (this.#state === "head") return [this.#head(line, kind)];
    // The head is always followed by a mark, which has the first hash.
    if (this.#sha256 === undefined && kind !== "mark") refuse(line, "a mark is expected after the head");
    if (kind !== undefined && frameKinds.includes(kind)) return this.#frame(line, kind);
    return [this.#row(line, kind)];
  }

  requireEnd(path: string): void {
    if (this.#state === "over") return;
    throw invalidInput(
      this.#state === "head"
        ? `${path} is empty or was truncated within its first line`
        : `${path} was truncated: its last line is missing. On the installation that wrote it, continue it with gatehouse export --resume`,
    );
  }

  #head(line: Line, kind: string | undefined): ExportPart {
    const head = kind === "head" ? (parse(line) as Head) : undefined;
    if (head?.format !== exportFormat) refuse(line, "this is not an export of an organization");
    if (head.version !== exportVersion)
      refuse(
        line,
        `its format version is ${JSON.stringify(head.version)}, but this release reads version ${exportVersion}`,
      );
    const wrong = problemOfHead(head);
    if (wrong !== undefined) refuse(line, `${wrong} is invalid`);
    this.#add(line);
    this.#state = "rows";
    return { is: "head", head };
  }

  #frame(line: Line, kind: string): ExportPart[] {
    if (kind === "head") refuse(line, "a second head");
    if (kind === "continued") {
      const { takenAt } = parse(line) as { takenAt?: unknown };
      if (!isTakenAt(takenAt)) refuse(line, "takenAt must be a timestamp");
      this.#continuedAt.push(takenAt);
      return [];
    }
    const { sha256 } = parse(line) as Mark | End;
    if (kind === "mark") {
      this.#sha256 = this.#chain.mark();
      this.#isMarked = true;
    } else if (!this.#isMarked) refuse(line, "a mark is expected before the last line");
    if (sha256 !== this.#sha256)
      refuse(line, "the lines before it were altered, or some of them are missing");
    return kind === "end" ? [this.#end(line)] : [];
  }

  #end(line: Line): ExportPart {
    const end = parse(line) as End;
    const unknown = Object.keys(end.lines ?? {}).find((kind) => !(kind in this.#counted));
    if (unknown !== undefined)
      refuse(line, `lines counts ${JSON.stringify(unknown.slice(0, 100))}, which is not a known kind`);
    const wrong = this.#sections.find(({ kind }) => end.lines?.[kind] !== this.#counted[kind]);
    if (wrong)
      refuse(
        line,
        `it counts ${end.lines?.[wrong.kind]} lines of ${wrong.kind}, but the file has ${this.#counted[wrong.kind]}`,
      );
    this.#state = "over";
    return { is: "end", end, continuedAt: this.#continuedAt };
  }

  /** Sections appear in a fixed order, and each appears once. */
  #row(line: Line, kind: string | undefined): ExportPart {
    const place = this.#sections.findIndex((section) => section.kind === kind);
    if (place === -1)
      refuse(
        line,
        kind === undefined ? "it does not begin with its kind" : `the kind "${kind}" does not exist`,
      );
    if (place < this.#section)
      refuse(line, `lines of ${kind} must come before those of ${this.#sections[this.#section]?.kind}`);
    this.#section = place;
    const section = this.#sections[place] as Section;
    this.#counted[section.kind] = (this.#counted[section.kind] ?? 0) + 1;
    this.#isMarked = false;
    this.#add(line);
    return { is: "row", section, line };
  }

  #add({ bytes }: Line): void {
    this.#chain.add(bytes);
    this.#chain.add(newline);
  }
}

/** Names the line, and its section if it belongs to one. */
export function refuse({ number }: Pick<Line, "number">, why: string, section?: Section): never {
  throw invalidInput(`Line ${number}${section === undefined ? "" : ` (${section.kind})`}: ${why}`);
}

const maxFrameBytes = 65_536;

/** Parses a line about the file itself. Its kind was read from its beginning, so it is an object. */
function parse(line: Line): unknown {
  if (line.bytes.length > maxFrameBytes) refuse(line, "it is too long");
  try {
    return JSON.parse(line.bytes.toString());
  } catch {
    refuse(line, "it is not valid JSON");
  }
}

const maxReleaseLength = 64;

function isTakenAt(value: unknown): value is string {
  return typeof value === "string" && parseTimestamp(value) !== undefined;
}

/** The invalid member of the head; undefined if it is valid. The settings are checked again when they are stored. */
function problemOfHead({
  organization,
  takenAt,
  release,
  lines,
  settings,
  deletedBefore,
}: Head): string | undefined {
  const isName = (value: unknown, maxLength: number) =>
    typeof value === "string" && isStorableText(value) && isWithinLength(value, maxLength);
  const wrongSetting = isObject(settings) ? findUnexportable(settings) : exportedNames()[0];
  const parts: [name: string, isRight: boolean][] = [
    ["organization.uuid", typeof organization?.uuid === "string" && isUuid(organization.uuid)],
    ["organization.name", isName(organization?.name, maxOrganizationNameLength)],
    ["takenAt", isTakenAt(takenAt)],
    ["release", isName(release, maxReleaseLength)],
    ["lines", isObject(lines) && Object.values(lines).every((count) => Number.isSafeInteger(count))],
    [`settings.${wrongSetting}`, wrongSetting === undefined],
    ["deletedBefore", deletedBefore === null || (typeof deletedBefore === "string" && isUuid(deletedBefore))],
  ];
  return parts.find(([, isRight]) => !isRight)?.[0];
}
