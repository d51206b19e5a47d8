import type { ProgressStream } from "./output/progress.js";

/** The world outside the program, so that tests can run it without a process. */
export interface Surroundings {
  environment: NodeJS.ProcessEnv;
  standardInput: AsyncIterable<Buffer>;
  out: (text: string) => void;
  errorStream: ProgressStream;
  /** Aborted when the user wants to stop. */
  stop: AbortSignal;
}
