import type pg from "pg";
import { transaction } from "../../database/transaction.js";
import type { Actor } from "../../audit/audit.js";
import { lockUserByEmail } from "../users.js";
import { resetSecondFactor } from "./second-factors.js";

/** For whoever has the command line; operators have no page of their own in the console. */
export async function resetSecondFactorOf(
  pool: pg.Pool,
  input: { email: string; actor: Actor },
): Promise<{ uuid: string; email: string; hadSecondFactor: boolean }> {
  return transaction(pool, async (client) => {
    const { id: userId, email } = await lockUserByEmail(client, input.email);
    const hadSecondFactor = await resetSecondFactor(client, { userId, actor: input.actor });
    return { uuid: userId, email, hadSecondFactor };
  });
}
