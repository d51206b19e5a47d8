import { sqlParameters } from "../database/sql.js";
import type { BothWaysPage } from "@gatehouse-parking/contract/console";

/**
 * Identifiers are UUIDv7: their first 48 bits are the millisecond they were made in. So a range of time is a range of
 * identifiers, and the primary key finds it.
 */

/** The smallest identifier that can have been made at or after this moment. */
export function firstIdAt(moment: Date): string {
  const milliseconds = Math.min(Math.max(0, moment.getTime()), 2 ** 48 - 1);
  const hex = milliseconds.toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** When an identifier was made. */
export function momentOfId(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
}

/**
 * The conditions of a list that is ordered by `id`, put together as they are asked for: first those that an index
 * answers, then the others. The organization is the first parameter.
 */
export function listConditions(organizationId: string) {
  const { values, add } = sqlParameters(organizationId);
  const source: string[] = ["record.organization_id = $1"];
  const filter: string[] = [];
  let sourceCount = values.length;
  return {
    /** Adds nothing where the value is undefined. */
    indexed(value: unknown, condition: (parameter: string) => string): void {
      if (filter.length > 0) throw new Error("What an index answers comes first");
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

/** Which page of a list is asked for: what is older than `before`, what is newer than `after`, or its beginning. */
export interface AskedPage {
  before?: string | undefined;
  after?: string | undefined;
  /** What comes first; absent: the newest. */
  sort?: "newest" | "oldest" | undefined;
}

/** How the rows of a page are read: always away from the cursor, by the index that the list is ordered by. */
export interface Reading {
  direction: "asc" | "desc";
  /** Whether they are read against the order in which they are shown. */
  isBackwards: boolean;
  from: string | undefined;
}

export function readingOf({ before, after, sort }: AskedPage): Reading {
  const isOldestFirst = sort === "oldest";
  const [onwards, back] = isOldestFirst ? [after, before] : [before, after];
  const isBackwards = back !== undefined;
  return {
    direction: isOldestFirst === isBackwards ? "desc" : "asc",
    isBackwards,
    from: back ?? onwards,
  };
}

/**
 * Makes a page of rows in the order in which they were read. One row more than fits shows that there is another page.
 * `edge`: a cursor behind which there may be more, although no such row was read. The way back always begins at the row
 * where the reading began.
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
