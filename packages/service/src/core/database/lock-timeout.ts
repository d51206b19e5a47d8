import type { Statement } from "./pipeline.js";

/**
 * Sets the lock timeout of the transaction. The first statement makes Citus pass the setting on to its workers; a single
 * server ignores it.
 */
export function setLockTimeout(timeout: string): Statement[] {
  return [
    { text: "set local citus.propagate_set_commands = 'local'" },
    { text: `set local lock_timeout = '${timeout}'` },
  ];
}
