/** All benchmarks by name. */
import * as consolePages from "./console-pages.js";
import * as files from "./files.js";
import * as history from "./history.js";
import { benchmarks as againstCopy } from "./imports-copy.js";
import { benchmarks as withLatency } from "./imports-distant.js";
import * as importsFull from "./imports-full.js";
import * as importsMemory from "./imports-memory.js";
import * as importsOne from "./imports-one.js";
import * as importsOrm from "./imports-orm.js";
import * as importsReplay from "./imports-replay.js";
import * as leads from "./leads.js";
import * as locations from "./locations.js";

/**
 * `goal` is the minimum ratio; `leastInShort` the minimum in a short run, if short runs are judged.
 * @typedef {{
 *   title: string,
 *   goal: number,
 *   leastInShort?: number,
 *   measure: (run: any) => Promise<{ ratio: number }>,
 *   describeRound?: (round: any) => string,
 * }} Benchmark
 */

/** @type {Record<string, Benchmark>} */
export const benchmarks = {
  "console-pages": consolePages,
  files,
  history,
  ...againstCopy,
  ...withLatency,
  "imports-full": importsFull,
  "imports-memory": importsMemory,
  "imports-one": importsOne,
  "imports-orm": importsOrm,
  "imports-replay": importsReplay,
  leads,
  locations,
};
