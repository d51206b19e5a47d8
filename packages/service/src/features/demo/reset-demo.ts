import { entities } from "@gatehouse-parking/contract";
import type pg from "pg";
import { transaction } from "../../core/database/transaction.js";
import { writeAudit, type Actor } from "../../core/audit/audit.js";
import { invalidInput } from "../../core/refusals/user-error.js";
import type { ImportObserver } from "../../core/imports/observe.js";
import { fillDemo } from "./sample/fill-demo.js";

/** Imported and submitted data. Locations, keys, members and the audit log stay. */
const emptied = [
  ...entities.map(({ plural }) => plural).toReversed(),
  "undo_records",
  "deleted_records",
  "repeated_runs",
  "import_sent_values",
  "clock_signs",
  "local_days",
  "import_exceptions",
  "import_runs",
  // Locked before its queue and its parts, which is the lock order of all code.
  "uploads",
  "upload_queue",
  "upload_batches",
  "upload_corrections",
  "upload_pieces",
  "leads",
  "lead_work",
  "lead_notes",
  "lead_attempts",
  "api_key_usage",
  "request_log",
];

/**
 * Deletes the data of the demo organization in one transaction, under the lock that imports take, so that no
 * part of an import remains. Other organizations are rejected.
 */
export async function resetDemo(
  pool: pg.Pool,
  input: { organizationId: string; actor: Actor },
): Promise<Record<string, number>> {
  return transaction(pool, async (client) => {
    const { rows } = await client.query<{ is_demo: boolean }>(
      "select is_demo from organizations where id = $1",
      [input.organizationId],
    );
    if (rows[0]?.is_demo !== true) throw invalidInput("Only the demo organization can be reset");
    await client.query("select from import_turns where organization_id = $1 for no key update", [
      input.organizationId,
    ]);
    const deleted: Record<string, number> = {};
    for (const table of emptied) {
      const { rowCount } = await client.query(`delete from ${table} where organization_id = $1`, [
        input.organizationId,
      ]);
      deleted[table] = rowCount ?? 0;
    }
    await client.query(
      `update import_turns
       set run_count = 0, told_run_count = 0, days_known_for = 0, change_count = change_count + 1,
           records_net = 0, records_base = 0, bytes_net = 0, bytes_base = 0, deleted_before = null
       where organization_id = $1`,
      [input.organizationId],
    );
    await writeAudit(client, {
      organizationId: input.organizationId,
      actor: input.actor,
      action: "organization.reset-demo",
      subjectId: input.organizationId,
      detail: deleted,
    });
    return deleted;
  });
}

/** Replaces the data of the demo organization with sample data. */
export async function resetToSampleData(
  pool: pg.Pool,
  input: {
    organizationId: string;
    actor: Actor;
    observers: readonly ImportObserver[];
    /** The pool of the transaction that holds the lock of the reset. */
    emptyIn?: pg.Pool;
  },
): Promise<Record<string, number>> {
  const deleted = await withDemoLock(pool, async () => {
    const emptied = await resetDemo(input.emptyIn ?? pool, input);
    await fillDemo(pool, input);
    return emptied;
  });
  if (!deleted) throw invalidInput("The demo organization is already being reset. Try again in a moment");
  return deleted;
}

/** The key of an advisory lock. */
const demoLock = 7_142_260_303;
/** Longer than it takes to fill the demo. The transaction is idle meanwhile. */
const idleTimeout = "5min";

/**
 * Runs the work unless another process is creating or filling the demo organization; in that case it returns
 * undefined. The lock ends with the connection.
 */
export async function withDemoLock<T>(pool: pg.Pool, work: () => Promise<T>): Promise<T | undefined> {
  return transaction(pool, async (client) => {
    await client.query(`set local idle_in_transaction_session_timeout = '${idleTimeout}'`);
    const { rows } = await client.query<{ locked: boolean }>(
      "select pg_try_advisory_xact_lock($1) as locked",
      [demoLock],
    );
    return rows[0]?.locked ? work() : undefined;
  });
}
