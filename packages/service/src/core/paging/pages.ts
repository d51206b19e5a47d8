import { sqlParameters } from "../database/sql.js";
import type { BothWaysPage } from "@gatehouse-parking/contract/console";

/**
 * Identifiers are UUIDv7, so their first 48 bits are the creation time in milliseconds. A time range is therefore a
 * range of the primary key.
 */

/** The smallest identifier created at or after this time. */
export function firstIdAt(moment: Date): string {
  const milliseconds = Math.min(Math.max(0, moment.getTime()), 2 ** 48 - 1);
  const hex = milliseconds.toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** The creation time of an identifier. */
export function momentOfId(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
}

/**
 * Builds the conditions of a list ordered by `id`: first those that an index supports, then the others. The
 * organization is the first parameter; null: all organizations.
 */
export function listConditions(organizationId: string | null) {
  const { values, add } = sqlParameters(...(organizationId === null ? [] : [organizationId]));
  const source = [organizationId === null ? "true" : "record.organization_id = $1"];
  const filter: string[] = [];
  let sourceCount = values.length;
  return {
    /** Adds nothing if the value is undefined. */
    indexed(value: unknown, condition: (parameter: string) => string): void {
      if (filter.length > 0) throw new Error("Index conditions must come before filters");
      if (value !== undefined) source.push(condition(add(value)));
      sourceCount = values.length;
    },
    other(value: unknown, condition: (parameter: string) => string): void {
      if (value !== undefined) filter.push(condition(add(value)));
    },
    /** A condition without a parameter. */
    fixed(condition: string): void {
      filter.push(condition);
    },
    parts: () => ({
      where: source.join(" and "),
      filter: filter.length === 0 ? undefined : filter.join(" and "),
      sourceValues: values.slice(0, sourceCount),
      filterValues: values.slice(sourceCount),
    }),
  };
}

/** The requested page: rows older than `before`, newer than `after`, or the first page. */
export interface AskedPage {
  before?: string | undefined;
  after?: string | undefined;
  /** The first rows of the list. Absent: newest first. */
  sort?: "newest" | "oldest" | undefined;
  total?: "yes" | undefined;
}

/** How to read the rows of a page: starting at the cursor, in index order. */
export interface Reading {
  direction: "asc" | "desc";
  /** Whether rows are read in reverse display order. */
  isBackwards: boolean;
  from: string | undefined;
  /** Whether to count the rows as well. */
  isCounted: boolean;
}

export function readingOf({ before, after, sort, total }: AskedPage): Reading {
  const isOldestFirst = sort === "oldest";
  const [onwards, back] = isOldestFirst ? [after, before] : [before, after];
  const isBackwards = back !== undefined;
  return {
    direction: isOldestFirst === isBackwards ? "desc" : "asc",
    isBackwards,
    from: back ?? onwards,
    isCounted: total === "yes",
  };
}

/**
 * Builds a page from rows in reading order. One row more than the page size shows that there is another page. `edge`
 * is a cursor for a possible next page although no such row was read. The cursor back is always the row where reading
 * began.
 */
export function toBothWaysPage<Row, T>(
  rows: readonly Row[],
  {
    limit,
    reading: { isBackwards, from },
    edge,
    cursorOf,
    toItem,
  }: {
    limit: number;
    reading: Reading;
    edge?: string | undefined;
    cursorOf: (row: Row) => string;
    toItem: (row: Row) => T;
  },
): BothWaysPage<T> {
  const read = rows.slice(0, limit);
  const last = read.at(-1);
  const onwards = (rows.length > limit && last !== undefined ? cursorOf(last) : edge) ?? null;
  const back = from === undefined ? null : read[0] === undefined ? from : cursorOf(read[0]);
  return {
    data: (isBackwards ? read.toReversed() : read).map(toItem),
    nextCursor: isBackwards ? back : onwards,
    previousCursor: isBackwards ? onwards : back,
  };
}
