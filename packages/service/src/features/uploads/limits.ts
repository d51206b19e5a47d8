import type pg from "pg";
import { maxPieceRequestBytes, uploadPieceBytes } from "@gatehouse-parking/contract";
import type { UploadStorage } from "@gatehouse-parking/contract/console";
import type { Config } from "../../core/config.js";
import { bytesOfMegabyte, readInteger, readMegabytes } from "../../core/config/readers.js";
import type { Variables } from "../../core/config/variables.js";

/** Limits that an operator can set. */
export type UploadSettings = Pick<
  Config,
  "uploadBytes" | "uploadStorageBytes" | "uploadKeptDays" | "undoDays"
>;

export const maxFileNameLength = 255;
/** Per organization, in all states together. */
export const maxUploads = 100;
/** Rows need far more storage unpacked, and with their outcomes, than in an archive. */
export const maxUnpackedBytes = 4 * 1024 * 1024 * 1024;
export const maxUploadRows = 5_000_000;
/**
 * The CPU time that reading and converting a file may take per attempt. Ordinary files take less than a tenth
 * of it. The limit grows with the size of the uploaded file, so that small files cannot be expensive.
 */
const cpuBaseMs = 20_000;
const cpuMsPerMegabyte = 20_000;

export function maxCpuMs(sizeBytes: number): number {
  return cpuBaseMs + Math.ceil(sizeBytes / (1024 * 1024)) * cpuMsPerMegabyte;
}

/** Of a message about the upload as a whole. */
export const maxProblemLength = 2_000;

const usageStatement = `
  select count(*)::int as uploads,
         coalesce(sum(case when is_file_kept then size_bytes else 0 end + kept_bytes), 0)::bigint as "storedBytes"
  from uploads where organization_id = $1`;

/** The limits of an organization and their current use. */
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

declare module "../../core/config/settings.js" {
  interface Settings {
    /** The maximum size of an uploaded file. */
    uploadBytes: number;
    /** The maximum size of all uploads of an organization. */
    uploadStorageBytes: number;
    uploadKeptDays: number;
  }
}

export const variables = {
  uploadBytes: {
    name: "GATEHOUSE_UPLOAD_MB",
    read: readMegabytes,
    whenUnset: 512 * bytesOfMegabyte,
    shownDefault: "512",
    description: "The maximum size of a file that is uploaded in the console, in MB.",
  },
  uploadStorageBytes: {
    name: "GATEHOUSE_UPLOAD_STORAGE_MB",
    read: readMegabytes,
    whenUnset: 2048 * bytesOfMegabyte,
    shownDefault: "2048",
    description:
      "The maximum size of an organization's uploads in the database, in MB: files that are not imported yet, and the stored outcomes of rows.",
  },
  uploadKeptDays: {
    name: "GATEHOUSE_UPLOAD_DAYS",
    read: (text: string) => readInteger(text, 1, 90),
    whenUnset: 7,
    shownDefault: "7",
    description:
      "How long an upload is kept after its last change, with its rows. Its imports are kept permanently.",
  },
} satisfies Partial<Variables>;
