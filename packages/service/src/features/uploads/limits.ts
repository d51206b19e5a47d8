import { maxPieceRequestBytes, uploadPieceBytes } from "@gatehouse-parking/contract";
import type { UploadStorage } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import type { Config } from "../../core/config.js";

/** What an operator can set. */
export type UploadSettings = Pick<
  Config,
  "uploadBytes" | "uploadStorageBytes" | "uploadKeptDays" | "undoDays"
>;

/** How many uploads an organization may have, whatever their states. */
export const maxUploads = 100;
/** A row of a file takes far more room unpacked, and with its outcome, than in an archive. */
export const maxUnpackedBytes = 4 * 1024 * 1024 * 1024;
export const maxUploadRows = 5_000_000;
/**
 * The processor time that reading and converting a file may take each time it is worked on. An ordinary file takes less than a
 * tenth of it. More is allowed for each megabyte as it was sent, so that small files cannot be expensive.
 */
const readingBaseMs = 20_000;
const readingMsPerMegabyte = 20_000;

export function maxReadingMs(sizeBytes: number): number {
  return readingBaseMs + Math.ceil(sizeBytes / (1024 * 1024)) * readingMsPerMegabyte;
}

/** The longest message about an upload as a whole. */
export const maxProblemLength = 2_000;

const usageStatement = `
  select count(*)::int as uploads,
         coalesce(sum(case when is_file_kept then size_bytes else 0 end + kept_bytes), 0)::bigint as "storedBytes"
  from uploads where organization_id = $1`;

/** The limits of an organization, and how far they are used. */
export async function showUploadStorage(
  connection: pg.Pool | pg.PoolClient,
  settings: UploadSettings,
  organizationId: string,
): Promise<UploadStorage> {
  const { rows } = await connection.query<{ uploads: number; storedBytes: number }>(usageStatement, [
    organizationId,
  ]);
  return {
    ...(rows[0] as { uploads: number; storedBytes: number }),
    maxFileBytes: settings.uploadBytes,
    maxStoredBytes: settings.uploadStorageBytes,
    maxUploads,
    keptDays: settings.uploadKeptDays,
    pieceBytes: uploadPieceBytes,
    maxRequestBytes: maxPieceRequestBytes,
  };
}

export function megabytes(bytes: number): string {
  return `${(bytes / (1024 * 1024)).toFixed(1)} MB`;
}
