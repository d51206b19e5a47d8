import type { Statement } from "./exchange.js";

/**
 * Bounds how long the statements of this transaction wait for a lock, wherever the row is. A cluster hands such a setting
 * on to its machines only if it is told to; for a single server the first of these is a setting that nobody reads.
 */
export function waitForLocks(atMost: string): Statement[] {
  return [
    { text: "set local citus.propagate_set_commands = 'local'" },
    { text: `set local lock_timeout = '${atMost}'` },
  ];
}
