import type pg from "pg";
import { transaction } from "../../core/database/transaction.js";
import type { UploadKey } from "./upload-row.js";

/**
 * Which uploads are to be worked on. An instance leases one by the database's clock and extends its lease while it works; when
 * it is gone, the lease runs out and another instance takes over.
 */
export const leaseSeconds = 30;

export interface Claim extends UploadKey {
  /** Identifies this lease. Whoever takes the upload over has another. */
  holder: string;
  /** How often it was begun without getting any further, this time included. */
  claims: number;
}

export async function enlist(client: pg.PoolClient, key: UploadKey, keptDays: number): Promise<void> {
  await client.query(
    "insert into upload_queue (upload_id, organization_id, expires_at) values ($1, $2, now() + make_interval(days => $3))",
    [key.uploadId, key.organizationId, keptDays],
  );
}

/** Has an upload worked on, after those that wait already. */
export async function want(client: pg.PoolClient, { uploadId }: UploadKey): Promise<void> {
  await client.query(
    `update upload_queue set is_wanted = true, turn_at = clock_timestamp(), claims = 0, holder = null, leased_until = null,
       untidy = untidy + 1
     where upload_id = $1`,
    [uploadId],
  );
}

/** Ends the work on an upload. What it need not keep is deleted soon. */
export async function dismiss(
  connection: pg.Pool | pg.PoolClient,
  { uploadId }: UploadKey,
  keptDays: number,
): Promise<void> {
  await connection.query(
    `update upload_queue set is_wanted = false, holder = null, leased_until = null, untidy = untidy + 1,
       expires_at = clock_timestamp() + make_interval(days => $2)
     where upload_id = $1`,
    [uploadId, keptDays],
  );
}

/** The same, for a worker that has claimed it and found nothing to do. What was wanted since stays wanted. */
export async function withdraw(pool: pg.Pool, { uploadId, holder }: Claim): Promise<void> {
  await pool.query(
    `update upload_queue set is_wanted = false, holder = null, leased_until = null, untidy = untidy + 1
     where upload_id = $1 and holder = $2`,
    [uploadId, holder],
  );
}

/** Any number will do, as long as it is ours alone. */
const claimLock = 7_142_260_305;

/**
 * What a worker may take up, of the table under the name `free`. An organization has one upload worked on at a time, so that
 * it does not hold up the others, however many it has.
 */
const isFree = `is_wanted and turn_at <= clock_timestamp() and (leased_until is null or leased_until < clock_timestamp())
  and not exists (
    select from upload_queue as busy
    where busy.organization_id = free.organization_id and busy.is_wanted and busy.leased_until >= clock_timestamp()
  )`;

const claimStatement = `
  update upload_queue set holder = $1, claims = claims + 1,
    leased_until = clock_timestamp() + make_interval(secs => $2)
  where upload_id = (
    select upload_id from upload_queue as free where ${isFree} and ($3 or claims = 0)
    order by turn_at limit 1 for update skip locked
  )
  returning upload_id as "uploadId", organization_id as "organizationId", claims`;

/**
 * Takes an upload up; with `mayBeSlow`, also one that got no further when it was last worked on. The lock makes one instance claim
 * after the other: two at once would not see each other's claims, and give one organization two places.
 */
export async function claim(
  pool: pg.Pool,
  holder: string,
  { mayBeSlow = true }: { mayBeSlow?: boolean } = {},
): Promise<Claim | undefined> {
  return transaction(pool, async (client) => {
    await client.query("select pg_advisory_xact_lock($1)", [claimLock]);
    const { rows } = await client.query<Omit<Claim, "holder">>(claimStatement, [
      holder,
      leaseSeconds,
      mayBeSlow,
    ]);
    return rows[0] && { ...rows[0], holder };
  });
}

/** False: somebody else has it now, or nobody wants it done. */
export async function extendLease(pool: pg.Pool, { uploadId, holder }: Claim): Promise<boolean> {
  const { rowCount } = await pool.query(
    `update upload_queue set leased_until = clock_timestamp() + make_interval(secs => $3)
     where upload_id = $1 and holder = $2`,
    [uploadId, holder, leaseSeconds],
  );
  return rowCount === 1;
}

/** It has got further since it was claimed. */
export async function noteProgress(pool: pg.Pool, { uploadId, holder }: Claim): Promise<void> {
  await pool.query("update upload_queue set claims = 0 where upload_id = $1 and holder = $2", [
    uploadId,
    holder,
  ]);
}

/** Others may have it, after so many seconds. With `isCounted`, it has been begun without getting any further. */
export async function giveBack(
  pool: pg.Pool,
  { uploadId, holder }: Claim,
  { afterSeconds, isCounted }: { afterSeconds: number; isCounted: boolean },
): Promise<void> {
  await pool.query(
    `update upload_queue set holder = null, leased_until = null,
       claims = case when $4 then claims else greatest(claims - 1, 0) end,
       turn_at = clock_timestamp() + make_interval(secs => $3)
     where upload_id = $1 and holder = $2`,
    [uploadId, holder, afterSeconds, isCounted],
  );
}

/** Whether an upload of another organization could be worked on instead. */
export async function othersWait(pool: pg.Pool, { organizationId }: UploadKey): Promise<boolean> {
  const { rowCount } = await pool.query(
    `select from upload_queue as free where ${isFree} and organization_id <> $1 limit 1`,
    [organizationId],
  );
  return rowCount === 1;
}

/** Counts the uploads of all organizations. */
export async function countWaiting(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ waiting: number }>(
    `select count(*)::int as waiting from upload_queue
     where is_wanted and (leased_until is null or leased_until < clock_timestamp())`,
  );
  return rows[0]?.waiting ?? 0;
}
