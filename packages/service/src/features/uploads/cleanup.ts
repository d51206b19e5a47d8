import type pg from "pg";
import { transaction } from "../../core/database/transaction.js";
import type { UploadSettings } from "./limits.js";
import type { UploadKey } from "./uploads.js";

const uploadsPerCleanup = 50;
const piecesPerStep = 16;
const batchesPerStep = 50;
const correctionsPerStep = 1_000;

interface StaleUpload extends UploadKey {
  /** A counter in the queue that every change of the upload increments. */
  untidy: number;
  isExpired: boolean;
}

/**
 * Deletes expired uploads, files that are imported or cancelled, and the rows of earlier passes, in small steps. Several instances
 * may do this at the same time.
 */
export async function cleanUp(pool: pg.Pool, settings: UploadSettings): Promise<void> {
  const { rows } = await pool.query<StaleUpload>(
    `select upload_id as "uploadId", organization_id as "organizationId", untidy,
            (not is_wanted and expires_at < now()) as "isExpired"
     from upload_queue where untidy > 0 or (not is_wanted and expires_at < now()) limit $1`,
    [uploadsPerCleanup],
  );
  for (const upload of rows) {
    if (upload.isExpired) await expire(pool, settings, upload);
    await deleteStaleParts(pool, upload);
  }
}

/** Deletes the upload unless parts have arrived since it expired: they do not update the queue. */
async function expire(pool: pg.Pool, { uploadKeptDays }: UploadSettings, upload: StaleUpload): Promise<void> {
  const { organizationId, uploadId } = upload;
  await transaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `delete from uploads where organization_id = $1 and id = $2 and changed_at < now() - make_interval(days => $3)`,
      [organizationId, uploadId, uploadKeptDays],
    );
    if (rowCount === 0)
      await client.query(
        "update upload_queue set expires_at = now() + make_interval(days => 1) where upload_id = $1",
        [uploadId],
      );
  });
}

async function deleteStaleParts(pool: pg.Pool, { untidy, ...key }: StaleUpload): Promise<void> {
  const values = [key.organizationId, key.uploadId];
  const { rows } = await pool.query<{ is_file_kept: boolean; pass_number: number }>(
    "select is_file_kept, pass_number from uploads where organization_id = $1 and id = $2",
    values,
  );
  const [upload] = rows;
  if (!upload?.is_file_kept)
    await inSteps(piecesPerStep, (limit) =>
      pool.query(
        `delete from upload_pieces where organization_id = $1 and upload_id = $2 and byte_offset = any (array(
           select byte_offset from upload_pieces where organization_id = $1 and upload_id = $2 limit $3))`,
        [...values, limit],
      ),
    );
  await inSteps(batchesPerStep, (limit) =>
    pool.query(
      `delete from upload_batches where organization_id = $1 and upload_id = $2 and pass_number < $3 and first_row = any (array(
         select first_row from upload_batches
         where organization_id = $1 and upload_id = $2 and pass_number < $3 limit $4))`,
      [...values, upload?.pass_number ?? allPasses, limit],
    ),
  );
  await inSteps(correctionsPerStep, (limit) =>
    pool.query(
      `delete from upload_corrections where organization_id = $1 and upload_id = $2 and pass_number < $3 and row_number = any (array(
         select row_number from upload_corrections
         where organization_id = $1 and upload_id = $2 and pass_number < $3 limit $4))`,
      [...values, upload?.pass_number ?? allPasses, limit],
    ),
  );
  await pool.query(
    upload
      ? "update upload_queue set untidy = 0 where upload_id = $1 and untidy = $2"
      : "delete from upload_queue where upload_id = $1 and $2::int is not null",
    [key.uploadId, untidy],
  );
}

/** For deleted uploads: greater than every pass number. */
const allPasses = 2_147_483_647;

async function inSteps(size: number, step: (limit: number) => Promise<pg.QueryResult>): Promise<void> {
  for (;;) if (((await step(size)).rowCount ?? 0) === 0) return;
}
