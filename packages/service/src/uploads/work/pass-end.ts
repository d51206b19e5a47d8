/**
 * finished: every row is decided, or every run taken back. stopped: `problem` says why. given back: somebody goes on
 * with it later. withdrawn: nobody wants it to be worked on any more.
 */
export type PassEnd =
  | { end: "finished" }
  | { end: "given back" }
  | { end: "withdrawn" }
  | { end: "stopped"; problem: string };
