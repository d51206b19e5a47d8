/**
 * finished: every row is decided, or every run undone. stopped: `problem` says why. given back: a worker goes on with it
 * later; `isCounted` if it got no further this time. withdrawn: the upload is not wanted any more.
 */
export type PassEnd =
  | { end: "finished" }
  | { end: "given back"; isCounted: boolean }
  | { end: "withdrawn" }
  | { end: "stopped"; problem: string };
