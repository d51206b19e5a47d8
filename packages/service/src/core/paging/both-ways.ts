import type { BothWaysPage } from "@gatehouse-parking/contract/console";

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
