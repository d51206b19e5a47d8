import { isObject } from "@gatehouse-parking/contract";

/**
 * Says where the columns of a foreign file go. In a mapping file it looks like this:
 *
 *     { "columns": { "Ticket": "transactionId",
 *                    "Kind": { "to": "type", "values": { "HOURLY": "Transient" } },
 *                    "Attendant": null },
 *       "constants": { "bookingSource": "Website" } }
 *
 * A column that is not mentioned keeps its own name; null leaves it out.
 */
export interface Mapping {
  columns: ReadonlyMap<string, ColumnTarget | null>;
  /** JSON texts by path; a column that has a value wins. */
  constants: ReadonlyMap<string, string>;
}

export interface ColumnTarget {
  to: string;
  /** Replacements, as JSON texts; a value that is not listed stays as it is. */
  values: ReadonlyMap<string, string>;
}

export const emptyMapping: Mapping = { columns: new Map(), constants: new Map() };

/** Makes a mapping of what a mapping file holds. `file` is how messages call it. */
export function toMapping(content: unknown, file: string): Mapping {
  const { columns = {}, constants = {}, ...others } = isObject(content) ? content : { "": content };
  const [unknown] = Object.keys(others);
  if (unknown !== undefined || !isObject(columns) || !isObject(constants)) {
    throw new Error(
      `The mapping file ${file} must be an object with the members "columns" and "constants"${unknown ? `, not "${unknown}"` : ""}`,
    );
  }
  return {
    columns: new Map(Object.entries(columns).map(([name, target]) => [name, readTarget(name, target, file)])),
    constants: new Map(Object.entries(constants).map(([path, value]) => [path, JSON.stringify(value)])),
  };
}

function readTarget(name: string, target: unknown, file: string): ColumnTarget | null {
  if (target === null) return null;
  if (typeof target === "string") return { to: target, values: new Map() };
  if (isObject(target) && typeof target["to"] === "string" && isObject(target["values"] ?? {})) {
    const values = Object.entries((target["values"] ?? {}) as Record<string, unknown>);
    return {
      to: target["to"],
      values: new Map(values.map(([value, replacement]) => [value, JSON.stringify(replacement)])),
    };
  }
  throw new Error(
    `The mapping file ${file} must give the column "${name}" a path, null, or an object with "to" and "values"`,
  );
}
