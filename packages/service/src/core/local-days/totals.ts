/** Sums as PostgreSQL adds decimals: without loss. A refund is its own record, so its amount is shown apart. */
export const sumsOfTransactions = `
  count(*) as transactions,
  coalesce(sum(amount_total) filter (where is_refunded is not true), 0) as revenue,
  coalesce(sum(amount_total) filter (where is_refunded), 0) as refunded`;

/** What `totals` of a day is made of. */
export const totalsColumns = "location_id uuid, transactions bigint, revenue numeric, refunded numeric";

/** How many runs of the organization did not note which days they changed. `turn`: its row of import_turns. */
export const untoldRuns = "(turn.run_count - turn.told_run_count)";

/**
 * Whether what is kept of a day is right: nothing has changed it since it was counted. Where all days are known that have
 * transactions, one that is not among them has none.
 */
export const isKept = `
  (turn.days_known_for is not distinct from ${untoldRuns}
   and (local_day.local_date is null or coalesce(local_day.counted_in >= local_day.changed_in, false)))`;
