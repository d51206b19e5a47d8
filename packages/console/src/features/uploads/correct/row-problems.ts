/** The problems of a row by column. Those that concern no single column have the position -1. */
export type RowProblems = ReadonlyMap<number, readonly string[]>;

const wholeRow = -1;

/** The fields of a mapping and the columns that they come from. */
export type ColumnsOfFields = ReadonlyMap<string, readonly number[]>;

/** Reads the targets of a mapping file: a field, an object with `to`, or a list of them. */
export function columnsOfFields(
  columns: readonly string[],
  mapping: Readonly<Record<string, unknown>> | null,
): ColumnsOfFields {
  const targets = (mapping?.["columns"] ?? {}) as Record<string, unknown>;
  const found = new Map<string, number[]>();
  for (const [position, column] of columns.entries()) {
    const target = Object.hasOwn(targets, column) ? targets[column] : column;
    for (const field of [target].flat().flatMap(fieldOf))
      found.set(field, [...(found.get(field) ?? []), position]);
  }
  return found;
}

function fieldOf(target: unknown): string[] {
  if (typeof target === "string") return [target];
  const to = (target as { to?: unknown } | null)?.to;
  return typeof to === "string" ? [to] : [];
}

/**
 * Splits the message of a failed row into sentences, which begin with a field. A sentence about a value that the mapping
 * could not convert also names its columns.
 */
export function problemsByColumn(
  message: string,
  columns: readonly string[],
  fields: ColumnsOfFields,
): RowProblems {
  const problems = new Map<number, string[]>();
  for (const sentence of message.split("; ")) {
    const [field = ""] = sentence.split(" ", 1);
    const named = columns.findIndex((column) => sentence.includes(`(column "${column}"`));
    const positions = named === -1 ? positionsOf(field, fields) : [named];
    for (const position of positions) problems.set(position, [...(problems.get(position) ?? []), sentence]);
  }
  return problems;
}

/** A column may fill a part of the field, such as the name of a contact. */
function positionsOf(field: string, fields: ColumnsOfFields): readonly number[] {
  for (let path = field; path !== ""; path = path.slice(0, Math.max(0, path.lastIndexOf(".")))) {
    const found = fields.get(path);
    if (found) return found;
  }
  return [wholeRow];
}
