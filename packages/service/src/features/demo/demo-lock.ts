import type pg from "pg";
import { transaction } from "../../core/database/transaction.js";

/** Any number will do, as long as it is ours alone. */
const demoLock = 7_142_260_303;
/** Far longer than a month of sample data takes. The transaction does nothing meanwhile. */
const patience = "5min";

/**
 * Makes or fills the demo organization while nobody else does: what a second one fills in beside the first would be
 * Skipped. Undefined: somebody is at it. Who dies at it lets go.
 */
export async function withDemoLock<T>(pool: pg.Pool, work: () => Promise<T>): Promise<T | undefined> {
  return transaction(pool, async (client) => {
    await client.query(`set local idle_in_transaction_session_timeout = '${patience}'`);
    const { rows } = await client.query<{ locked: boolean }>(
      "select pg_try_advisory_xact_lock($1) as locked",
      [demoLock],
    );
    return rows[0]?.locked ? work() : undefined;
  });
}
