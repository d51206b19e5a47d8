import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { ColumnTarget } from "./column-target.js";
import { numberText } from "./conversions/number-text.js";
import { parseNumber } from "./conversions/number-format.js";
import { scaled } from "./conversions/scale.js";
import { firstAndLast } from "./full-name.js";
import { cleanText } from "../rows/cell-text.js";
import type { LocationIndex } from "./locations.js";
import type { RecordBuilder } from "./record-builder.js";
import { plainWord, type Rules } from "./rules.js";

/** A target, and the rules that apply to its cells. */
export interface Placement {
  path: string;
  target: ColumnTarget;
  rules: Rules;
}

/** Adds the cells of a column, and of the columns that it is joined with, at their target. */
export function putCell(
  builder: RecordBuilder,
  { path, target, rules }: Placement,
  cells: readonly string[],
  locations: LocationIndex | undefined,
): void {
  const cell = cells.length === 1 ? (cells[0] as string) : joined(cells, target, rules);
  const word = cleanText(cell);
  if (word === "" || target.rules?.empty?.has(plainWord(word))) return;
  const replaced = target.values.get(word);
  if (replaced !== undefined) return builder.put(path, replaced);
  // A word of the whole mapping may be one of the values.
  if (rules.empty?.has(plainWord(word))) return undefined;
  if (target.location !== undefined && locations) {
    const found = locations.find(cell, target.location);
    if ("uuid" in found) builder.put(path, JSON.stringify(found.uuid));
    else builder.problems.push({ ...found, path, value: cell });
  } else if (target.name !== undefined) {
    const { firstName, lastName } = firstAndLast(cell, target.name);
    if (firstName !== "") builder.put(`${path}.firstName`, JSON.stringify(firstName));
    builder.put(`${path}.lastName`, JSON.stringify(lastName));
  } else if (target.scale === undefined) builder.put(path, JSON.stringify(textOf(cell, target)));
  else putNumber(builder, path, word, target.scale, rules);
}

/** Scaled here and not with the other conversions, because constants and replaced values are not scaled. */
function putNumber(
  builder: RecordBuilder,
  path: string,
  cell: string,
  scale: number,
  { number }: Rules,
): void {
  const parsed = number ? parseNumber(cell, number) : numberText(cell);
  if (parsed !== undefined) builder.put(path, scaled(parsed, scale));
  else {
    const data = { example: number?.example ?? "1234.50" };
    builder.problems.push({ path, value: cell, code: "notNumber", data });
  }
}

/** Different cells must not give the same text before it is hashed. */
const hashedSeparator = "\u001f";

/** Empty if all cells are empty. An empty cell keeps its place, so that ids of different rows stay different. */
function joined(cells: readonly string[], target: ColumnTarget, { empty }: Rules): string {
  const words = cells.map((cell) => (empty?.has(plainWord(cell)) ? "" : cell.trim()));
  if (words.every((word) => word === "")) return "";
  return words.join(target.separator ?? (target.isHashed ? hashedSeparator : " ")).trim();
}

/** Half of the 64 characters of SHA-256: two of 10 billion different texts are equal once in 10^18 cases. */
const hashLength = 32;

function textOf(cell: string, { prefix, isHashed }: ColumnTarget): string {
  if (isHashed) return (prefix ?? "") + bytesToHex(sha256(utf8ToBytes(cell.trim()))).slice(0, hashLength);
  return prefix === undefined ? cell : prefix + cell.trim();
}
