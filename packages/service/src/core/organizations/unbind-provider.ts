import type pg from "pg";
import { transaction } from "../database/transaction.js";
import type { Actor } from "../audit/audit.js";
import { auditAccount } from "./audit-account.js";
import { lockUserByEmail } from "./users.js";

/** For somebody who is somebody else at the provider now, or whom it should not have named. */
export async function unbindProvider(
  pool: pg.Pool,
  input: { email: string; actor: Actor },
): Promise<{ uuid: string; email: string; unbound: { issuer: string; subject: string }[] }> {
  return transaction(pool, async (client) => {
    const { id: userId, email } = await lockUserByEmail(client, input.email);
    const { rows: unbound } = await client.query<{ issuer: string; subject: string }>(
      "delete from provider_identities where user_id = $1 returning issuer, subject",
      [userId],
    );
    await client.query("delete from sessions where user_id = $1 and by_provider", [userId]);
    await auditAccount(client, userId, {
      actor: input.actor,
      action: "user.unbind-provider",
      detail: { unbound },
    });
    return { uuid: userId, email, unbound };
  });
}
