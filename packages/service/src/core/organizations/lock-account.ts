import type pg from "pg";
import { UserError } from "../refusals/user-error.js";
import { lockAccounts } from "./memberships.js";

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
  /** Somebody else whose rights decide, and who is locked in the same step. */
  otherId: string | null | undefined = null,
): Promise<void> {
  await lockAccounts(client, [userId, otherId ?? null]);
  const { rowCount } = await client.query("select from sessions where token_hash = $1 and user_id = $2", [
    sessionHash,
    userId,
  ]);
  if (rowCount === 0) throw new UserError("signedOut");
}
