import type pg from "pg";
import {
  importResources,
  maxUploadReferenceLength,
  type ImportResourceName,
  type Quotas,
  uploadOffsetHeader,
  uploadPieceBytes,
} from "@gatehouse-parking/contract";
import type { Upload } from "@gatehouse-parking/contract/console";
import { createHash } from "node:crypto";
import { writeAudit, type Actor, actorName } from "../../core/audit/audit.js";
import { requireOrganization } from "../../core/organizations/organizations.js";
import { describeStorageShortage, readStored } from "../../core/organizations/quotas.js";
import { invalidInput, conflictError, requireText, UserError } from "../../core/refusals/user-error.js";
import { uuidv7 } from "../../core/uuidv7.js";
import { transaction, type Connection } from "../../core/database/transaction.js";
import { maxFileNameLength } from "./limits.js";
import { megabytes, showUploadStorage, type UploadSettings } from "./limits.js";
import { addToQueue } from "./queue.js";
import { findUpload, toUpload, uploadColumns, type UploadKey, type UploadRow } from "./uploads.js";

export interface NewUpload {
  organizationId: string;
  fileName: string;
  size: number;
  resource: ImportResourceName;
  /** Creating it again with the same reference returns the upload that exists. */
  reference?: string | undefined;
  actor: Actor;
}

/** Reserves storage for a file that will be sent in parts, if the limits of the organization allow it. */
export async function createUpload(
  client: pg.PoolClient,
  settings: UploadSettings,
  input: NewUpload,
): Promise<Upload> {
  const { organizationId, size, actor } = input;
  const fileName = requireText("fileName", input.fileName, maxFileNameLength);
  if (!Number.isSafeInteger(size) || size < 1) throw invalidInput("size must be a number of bytes from 1");
  await requireOrganization(client, organizationId);
  // Concurrent requests are counted one after the other.
  const { rows: organizations } = await client.query<{ quotas: Quotas | null }>(
    "select quotas from organizations where id = $1 for no key update",
    [organizationId],
  );
  const reference = input.reference && requireText("reference", input.reference, maxUploadReferenceLength);
  const existing = reference && (await findByReference(client, organizationId, reference));
  if (existing) return toUpload(requireSame(existing, { ...input, fileName }), settings.uploadKeptDays);
  await requireUploadLimits(client, settings, organizationId, size);
  await requireStorageQuota(client, organizationId, { limit: organizations[0]?.quotas?.storageBytes, size });
  const uploadId = uuidv7();
  const { rows } = await client.query<UploadRow>(
    `insert into uploads (organization_id, id, file_name, size_bytes, resource, created_by, reference)
     values ($1, $2, $3, $4, $5, $6, $7) returning ${uploadColumns}`,
    [
      organizationId,
      uploadId,
      fileName,
      size,
      importResources[input.resource].resource,
      actorName(actor),
      reference ?? null,
    ],
  );
  await addToQueue(client, { organizationId, uploadId }, settings.uploadKeptDays);
  await writeAudit(client, {
    organizationId,
    actor,
    action: "upload.create",
    subjectId: uploadId,
    detail: { fileName, size, resource: input.resource },
  });
  return toUpload(rows[0] as UploadRow, settings.uploadKeptDays);
}

async function findByReference(
  client: pg.PoolClient,
  organizationId: string,
  reference: string,
): Promise<UploadRow | undefined> {
  const { rows } = await client.query<UploadRow>(
    `select ${uploadColumns} from uploads where organization_id = $1 and reference = $2`,
    [organizationId, reference],
  );
  return rows[0];
}

function requireSame(existing: UploadRow, { fileName, size, resource }: NewUpload): UploadRow {
  const isSame =
    existing.file_name === fileName &&
    existing.size_bytes === size &&
    existing.resource === importResources[resource].resource;
  if (!isSame)
    throw conflictError(
      `The reference ${existing.reference} belongs to the upload ${existing.id}, which has another file name, size or resource`,
    );
  return existing;
}

async function requireUploadLimits(
  client: pg.PoolClient,
  settings: UploadSettings,
  organizationId: string,
  size: number,
): Promise<void> {
  const storage = await showUploadStorage(client, settings, organizationId);
  if (size > storage.maxFileBytes)
    throw conflictError(`The file is larger than ${megabytes(storage.maxFileBytes)}, the limit per file`);
  if (storage.uploads >= storage.maxUploads)
    throw conflictError(
      `The organization has ${storage.uploads} uploads, which is the maximum. Remove some of them`,
    );
  if (storage.storedBytes + size > storage.maxStoredBytes)
    throw conflictError(
      `The uploads of the organization use ${megabytes(storage.storedBytes)} of ${megabytes(storage.maxStoredBytes)}. This file does not fit. Remove some uploads`,
    );
}

async function requireStorageQuota(
  client: pg.PoolClient,
  organizationId: string,
  { limit, size }: { limit: number | undefined; size: number },
): Promise<void> {
  if (limit === undefined) return;
  const lack = await describeStorageShortage(await readStored(client, organizationId), limit, size);
  if (lack !== undefined)
    throw conflictError(`${lack}, and this file would add ${size.toLocaleString("en")}`);
}

export interface Part extends UploadKey {
  offset: number;
  bytes: Buffer;
}

/**
 * Stores a part of a file. Bytes that are already stored are skipped, so a client can resend a part. A part that would leave a gap
 * is rejected. `completeUpload` checks that all parts belong to one file.
 */
export async function receivePart(pool: pg.Pool, part: Part): Promise<{ receivedBytes: number }> {
  const { organizationId, uploadId, offset, bytes } = part;
  return transaction(pool, async (client) => {
    const upload = await findUpload(client, part, "for update");
    requireWholePieces(upload, offset, bytes.length);
    const end = offset + bytes.length;
    if (end <= upload.received_bytes) return { receivedBytes: upload.received_bytes };
    if (upload.state !== "receiving") throw conflictError("This upload no longer accepts parts of a file");
    if (offset > upload.received_bytes)
      throw new UserError(
        "conflict",
        [`${upload.received_bytes} bytes of this file are stored. Continue from there`],
        { headers: { [uploadOffsetHeader]: String(upload.received_bytes) } },
      );
    for (let at = upload.received_bytes - offset; at < bytes.length; at += uploadPieceBytes) {
      const piece = bytes.subarray(at, at + uploadPieceBytes);
      await client.query(
        `insert into upload_pieces (organization_id, upload_id, byte_offset, sha256, content)
         values ($1, $2, $3, $4, $5)`,
        [organizationId, uploadId, offset + at, sha256(piece), piece],
      );
    }
    await client.query(
      "update uploads set received_bytes = $3, changed_at = now() where organization_id = $1 and id = $2",
      [organizationId, uploadId, end],
    );
    return { receivedBytes: end };
  });
}

function requireWholePieces({ size_bytes: size }: UploadRow, offset: number, length: number): void {
  if (offset % uploadPieceBytes !== 0) throw invalidInput(`offset must be a multiple of ${uploadPieceBytes}`);
  if (length === 0) throw invalidInput("The body must contain a part of the file");
  if (offset + length > size)
    throw invalidInput(`The size of the file is ${size} bytes. This part exceeds it`);
  if (length % uploadPieceBytes !== 0 && offset + length !== size)
    throw invalidInput(
      `The size of a part must be a multiple of ${uploadPieceBytes} bytes, except for the last part`,
    );
}

/** Compares the stored bytes with the checksum of the file, if there is one. A repeated request changes nothing. */
export async function completeUpload(
  connection: Connection,
  settings: UploadSettings,
  { sha256: wanted, ...key }: UploadKey & { sha256?: string | undefined },
): Promise<Upload> {
  return transaction(connection, async (client) => {
    const upload = await findUpload(client, key, "for update");
    if (upload.state === "cancelled") throw conflictError("The upload was cancelled");
    if (upload.received_bytes < upload.size_bytes)
      throw conflictError(`${upload.received_bytes} of ${upload.size_bytes} bytes of this file are stored`);
    if (upload.state !== "receiving") return toUpload(upload, settings.uploadKeptDays);
    const { rows: pieces } = await client.query<{ sha256: Buffer }>(
      `select sha256 from upload_pieces where organization_id = $1 and upload_id = $2 order by byte_offset`,
      [key.organizationId, key.uploadId],
    );
    const found = sha256(Buffer.concat(pieces.map((piece) => piece.sha256))).toString("hex");
    if (wanted !== undefined && found !== wanted.toLowerCase())
      throw conflictError(
        "The received parts do not match the checksum of the file. Cancel this upload and send the file again",
      );
    const { rows } = await client.query<UploadRow>(
      `update uploads set state = 'received', changed_at = now()
       where organization_id = $1 and id = $2 returning ${uploadColumns}`,
      [key.organizationId, key.uploadId],
    );
    return toUpload(rows[0] as UploadRow, settings.uploadKeptDays);
  });
}

function sha256(bytes: Buffer): Buffer {
  return createHash("sha256").update(bytes).digest();
}
