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
  /** Against the order in which they are shown. */
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
 * A page out of rows in the order in which they were read, with one row more than fits if there is another page that
 * way. `edge`: there may be, behind this cursor, although there is no such row. The way back always leads over the row
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
