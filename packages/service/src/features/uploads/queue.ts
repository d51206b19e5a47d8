import type { UploadWait } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { transaction } from "../../core/database/transaction.js";
import type { UploadKey } from "./uploads.js";

/**
 * The queue of uploads. An instance leases an upload by the clock of the database and extends the lease while it works. If the
 * instance fails, the lease expires and another instance takes over.
 */
export const leaseSeconds = 30;

export interface Claim extends UploadKey {
  /** Identifies this lease. */
  holder: string;
  /** The number of attempts without progress, including this one. */
  claims: number;
}

export async function addToQueue(client: pg.PoolClient, key: UploadKey, keptDays: number): Promise<void> {
  await client.query(
    "insert into upload_queue (upload_id, organization_id, expires_at) values ($1, $2, now() + make_interval(days => $3))",
    [key.uploadId, key.organizationId, keptDays],
  );
}

/** Queues the upload after those that already wait. */
export async function enqueue(client: pg.PoolClient, { uploadId }: UploadKey): Promise<void> {
  await client.query(
    `update upload_queue set is_wanted = true, turn_at = clock_timestamp(), claims = 0, holder = null, leased_until = null,
       waits_for = null, untidy = untidy + 1
     where upload_id = $1`,
    [uploadId],
  );
}

/** Removes the upload from the queue. The cleanup then deletes what the upload no longer needs. */
export async function dequeue(
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

/** The same for a worker that found nothing to do, unless the upload was queued again since the claim. */
export async function dequeueClaimed(pool: pg.Pool, { uploadId, holder }: Claim): Promise<void> {
  await pool.query(
    `update upload_queue set is_wanted = false, holder = null, leased_until = null, untidy = untidy + 1
     where upload_id = $1 and holder = $2`,
    [uploadId, holder],
  );
}

/** Key of an advisory lock. Nothing else uses this number. */
const claimLock = 7_142_260_305;

/** Only one upload per organization is in progress at a time, so that no organization delays the others. */
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
 * Claims an upload; with `mayBeSlow`, also one whose last attempt made no progress. The lock serializes claims: two concurrent ones
 * would not see each other, and could claim two uploads of one organization.
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

/** Returns false if the claim is lost: another instance has it, or the upload was paused or cancelled. */
export async function extendLease(pool: pg.Pool, { uploadId, holder }: Claim): Promise<boolean> {
  const { rowCount } = await pool.query(
    `update upload_queue set leased_until = clock_timestamp() + make_interval(secs => $3)
     where upload_id = $1 and holder = $2`,
    [uploadId, holder, leaseSeconds],
  );
  return rowCount === 1;
}

/** After progress, the number of failed attempts starts again. */
export async function resetAttempts(pool: pg.Pool, { uploadId, holder }: Claim): Promise<void> {
  await pool.query("update upload_queue set claims = 0 where upload_id = $1 and holder = $2", [
    uploadId,
    holder,
  ]);
}

interface Release {
  afterSeconds: number;
  /** This was an attempt without progress. */
  isCounted: boolean;
  /** Shown to users until the next attempt. */
  waitsFor?: UploadWait | null;
}

/** Returns the upload to the queue. */
export async function releaseClaim(
  pool: pg.Pool,
  { uploadId, holder }: Claim,
  { afterSeconds, isCounted, waitsFor = null }: Release,
): Promise<void> {
  await pool.query(
    `update upload_queue set holder = null, leased_until = null,
       claims = case when $4 then claims else greatest(claims - 1, 0) end,
       turn_at = clock_timestamp() + make_interval(secs => $3), waits_for = $5
     where upload_id = $1 and holder = $2`,
    [uploadId, holder, afterSeconds, isCounted, waitsFor],
  );
}

/** Why an upload in the queue is not processed right now. Null: it is, or it is about to be. */
export async function findWait(
  pool: pg.Pool,
  { organizationId, uploadId }: UploadKey,
): Promise<UploadWait | null> {
  const { rows } = await pool.query<{ wait: UploadWait | null }>(
    `select case
       when not own.is_wanted or own.leased_until >= clock_timestamp() then null
       when own.leased_until is not null then 'instance'
       when own.turn_at > clock_timestamp() then own.waits_for
       when exists (
         select from upload_queue as busy
         where busy.organization_id = $2 and busy.is_wanted and busy.leased_until >= clock_timestamp()
       ) then 'ownUpload'
       when exists (
         select from upload_queue as busy where busy.is_wanted and busy.leased_until >= clock_timestamp()
       ) then 'otherUploads'
     end as wait
     from upload_queue as own where own.upload_id = $1`,
    [uploadId, organizationId],
  );
  return rows[0]?.wait ?? null;
}

/** Whether an upload of another organization waits. */
export async function areOthersWaiting(pool: pg.Pool, { organizationId }: UploadKey): Promise<boolean> {
  const { rowCount } = await pool.query(
    `select from upload_queue as free where ${isFree} and organization_id <> $1 limit 1`,
    [organizationId],
  );
  return rowCount === 1;
}

/** Of all organizations. */
export async function countWaiting(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ waiting: number }>(
    `select count(*)::int as waiting from upload_queue
     where is_wanted and (leased_until is null or leased_until < clock_timestamp())`,
  );
  return rows[0]?.waiting ?? 0;
}
