import { isObject, isUuid } from "@gatehouse-parking/contract";
import { invalidInput } from "../../core/refusals/user-error.js";
import { exportVersion, frameLine } from "./format.js";
import type { Key } from "../../core/stored-tables/read-section.js";
import { boundOf, type KeyColumn, type Section } from "../../core/stored-tables/section.js";

/** The progress and the extent of an export. Any instance can continue the export from this. */
export interface Position {
  organizationId: string;
  /** For each section with time-ordered ids: the newest id when the export began. */
  newest: Record<string, string>;
  /** For each settled section: the number of rows in the export. */
  settled: Record<string, number>;
  /** Lines so far, by kind. */
  lines: Record<string, number>;
  /** The section to continue with. Null: only the end line is missing. */
  section: string | null;
  /** The last exported key of that section. */
  after: Key | null;
  sha256: string;
}

function writePosition(position: Position): string {
  return Buffer.from(JSON.stringify({ version: exportVersion, ...position })).toString("base64url");
}

export function markLine(position: Position): string {
  return frameLine({ kind: "mark", sha256: position.sha256, resume: writePosition(position) });
}

const maxLength = 8_192;

export function readPosition(text: string, sections: readonly Section[]): Position {
  const refused = invalidInput("resume must be the exact value of a mark in an export");
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

/** The largest integer of PostgreSQL. */
const maxInteger = 2 ** 31 - 1;

function isKeyPart(type: KeyColumn["type"], value: unknown): boolean {
  if (typeof value !== "string") return false;
  if (type === "uuid") return isUuid(value);
  return /^\d{1,18}$/.test(value) && (type === "bigint" || Number(value) <= maxInteger);
}

/** The newest id that the export includes. Undefined if the section was empty. */
export function boundAt({ newest }: Position, section: Section): string | undefined {
  return newest[boundOf(section).section];
}

/** The remaining sections, beginning with the current one. */
export function sectionsFrom({ section }: Position, sections: readonly Section[]): readonly Section[] {
  if (section === null) return [];
  return sections.slice(sections.findIndex(({ kind }) => kind === section));
}
