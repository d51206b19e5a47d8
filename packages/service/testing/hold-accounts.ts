import type pg from "pg";
import { expect } from "vitest";
import type { Answer, TestApp } from "./harness.js";
import { waitingForLocks } from "./waiting-for-locks.js";

/**
 * Sends requests while these users' accounts are locked, waits until all requests wait for the lock, makes a change in
 * the locking transaction, and returns their answers.
 */
export async function whileHeld(
  gatehouse: TestApp,
  userIds: readonly string[],
  send: () => Promise<Answer>[],
  change: (holder: pg.ClientBase) => Promise<unknown> = async () => undefined,
): Promise<Answer[]> {
  const holder = await gatehouse.database.work.connect();
  try {
    await holder.query("begin");
    await holder.query("select from users where id = any ($1) for update", [userIds]);
    const answers = send();
    await expect.poll(() => waitingForLocks(gatehouse)).toBe(answers.length);
    await change(holder);
    await holder.query("commit");
    return await Promise.all(answers);
  } finally {
    // Cleans up if a check has failed.
    await holder.query("rollback");
    holder.release();
  }
}
