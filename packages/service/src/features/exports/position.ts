import { isUuid } from "@gatehouse-parking/contract";
import { invalidInput } from "../../core/refusals/user-error.js";
import { exportVersion, frameLine } from "./format.js";
import type { Key } from "../../core/stored-tables/read-section.js";
import { boundOf, type KeyColumn, type Section } from "../../core/stored-tables/section.js";

/** How far an export has come, and what belongs to it. Everything that is needed to go on with it, on any instance. */
export interface Position {
  organizationId: string;
  /** By the sections that have ids in the order of time: the newest one when it began. */
  newest: Record<string, string>;
  /** By settled section: how many rows belong to it. */
  settled: Record<string, number>;
  /** Lines so far, by kind. */
  lines: Record<string, number>;
  /** The section that comes next or goes on; null: only the end is missing. */
  section: string | null;
  /** The last key of it that is there. */
  after: Key | null;
  sha256: string;
}

/** As the text that a mark has. It is no secret, and nothing is believed because of it. */
function writePosition(position: Position): string {
  return Buffer.from(JSON.stringify({ version: exportVersion, ...position })).toString("base64url");
}

export function markLine(position: Position): string {
  return frameLine({ kind: "mark", sha256: position.sha256, resume: writePosition(position) });
}

const maxLength = 8_192;

export function readPosition(text: string, sections: readonly Section[]): Position {
  const refused = invalidInput("resume must be the value of a mark of an export, exactly as it stands there");
  if (text.length > maxLength) throw refused;
  let read: Partial<Position> & { version?: unknown };
  try {
    read = JSON.parse(Buffer.from(text, "base64url").toString()) as typeof read;
  } catch {
    throw refused;
  }
  if (!isPosition(read, sections)) throw refused;
  const { organizationId, newest, settled, lines, section, after, sha256 } = read;
  return { organizationId, newest, settled, lines, section, after, sha256 };
}

function isPosition(read: unknown, sections: readonly Section[]): read is Position {
  if (!isObject(read) || read["version"] !== exportVersion) return false;
  const { organizationId, newest, settled, lines, section, after, sha256 } = read;
  const kinds = new Map(sections.map((one) => [one.kind, one]));
  const current = typeof section === "string" ? kinds.get(section) : undefined;
  return (
    isUuidText(organizationId) &&
    isRecordOf(newest, kinds, isUuidText) &&
    isRecordOf(settled, kinds, isCount) &&
    isRecordOf(lines, kinds, isCount) &&
    (section === null || current !== undefined) &&
    (after === null || (current !== undefined && isKeyOf(current, after))) &&
    typeof sha256 === "string" &&
    /^[0-9a-f]{64}$/.test(sha256)
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** By the kinds of sections, and by nothing else. */
function isRecordOf(
  value: unknown,
  kinds: ReadonlyMap<string, Section>,
  isRight: (one: unknown) => boolean,
): boolean {
  return isObject(value) && Object.entries(value).every(([kind, one]) => kinds.has(kind) && isRight(one));
}

function isUuidText(value: unknown): boolean {
  return typeof value === "string" && isUuid(value);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isKeyOf({ key }: Section, value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length === key.length &&
    key.every(({ type }, index) => isKeyPart(type, value[index]))
  );
}

/** Larger ones are no integer of the database. */
const maxInteger = 2 ** 31 - 1;

function isKeyPart(type: KeyColumn["type"], value: unknown): boolean {
  if (typeof value !== "string") return false;
  if (type === "uuid") return isUuid(value);
  return /^\d{1,18}$/.test(value) && (type === "bigint" || Number(value) <= maxInteger);
}

/** The newest id that a section's rows are bound by; undefined: nothing was there. */
export function boundAt({ newest }: Position, section: Section): string | undefined {
  return newest[boundOf(section).section];
}

/** The sections that are still to come, beginning with the one that it is in. */
export function sectionsFrom({ section }: Position, sections: readonly Section[]): readonly Section[] {
  if (section === null) return [];
  return sections.slice(sections.findIndex(({ kind }) => kind === section));
}
