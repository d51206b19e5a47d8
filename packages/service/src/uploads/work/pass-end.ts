/**
 * finished: every row is decided, or every run taken back. stopped: `problem` says why. given back: it is to be gone on
 * with later. withdrawn: nobody wants it to be worked on any more.
 */
export type PassEnd =
  | { end: "finished" }
  | { end: "given back" }
  | { end: "withdrawn" }
  | { end: "stopped"; problem: string };
