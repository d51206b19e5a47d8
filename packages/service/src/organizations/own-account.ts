import type pg from "pg";
import { ConsoleRefused } from "../refusals/console-refused.js";

/** Somebody who changes how they sign in, and the session that they do it in. */
export interface OnOwnAccount {
  userId: string;
  /** SHA-256 of the session's token. */
  sessionHash: Buffer;
}

/**
 * Locks the account, as whoever ends its sessions does. A request that was let in before its session ended, and had to wait,
 * must not bring back whoever was put out.
 */
export async function lockOwnAccount(
  client: pg.ClientBase,
  { userId, sessionHash }: OnOwnAccount,
): Promise<void> {
  await client.query("select from users where id = $1 for update", [userId]);
  const { rowCount } = await client.query("select from sessions where token_hash = $1 and user_id = $2", [
    sessionHash,
    userId,
  ]);
  if (rowCount === 0) throw new ConsoleRefused("signedOut");
}
