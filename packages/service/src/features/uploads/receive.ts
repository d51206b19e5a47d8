import { createHash } from "node:crypto";
import { uploadPieceBytes } from "@gatehouse-parking/contract";
import type { Upload } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { transaction } from "../../core/database/transaction.js";
import { invalidInput, conflictError } from "../../core/refusals/user-error.js";
import type { UploadSettings } from "./limits.js";
import { findUpload, toUpload, uploadColumns, type UploadKey, type UploadRow } from "./upload-row.js";

export interface Part extends UploadKey {
  offset: number;
  bytes: Buffer;
}

/**
 * Takes a part of a file. What is there already is passed over, so that whoever got no answer sends the same again; what
 * would leave a gap is refused. Whether it is all of one file is found out at the end.
 */
export async function receivePart(pool: pg.Pool, part: Part): Promise<{ receivedBytes: number }> {
  const { organizationId, uploadId, offset, bytes } = part;
  return transaction(pool, async (client) => {
    const upload = await findUpload(client, part, "for update");
    requireWholePieces(upload, offset, bytes.length);
    const end = offset + bytes.length;
    if (end <= upload.received_bytes) return { receivedBytes: upload.received_bytes };
    if (upload.state !== "receiving") throw conflictError("The file of this upload is no longer received");
    if (offset > upload.received_bytes)
      throw conflictError(`Of this file, ${upload.received_bytes} bytes are here: go on there`);
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
  if (length === 0) throw invalidInput("The body must hold a part of the file");
  if (offset + length > size)
    throw invalidInput(`The file was announced with ${size} bytes; this part goes beyond them`);
  if (length % uploadPieceBytes !== 0 && offset + length !== size)
    throw invalidInput(`A part must have a multiple of ${uploadPieceBytes} bytes, or end with the file`);
}

/** Compares what is here with what was sent. The same again changes nothing. */
export async function completeUpload(
  pool: pg.Pool,
  settings: UploadSettings,
  { sha256: wanted, ...key }: UploadKey & { sha256: string },
): Promise<Upload> {
  return transaction(pool, async (client) => {
    const upload = await findUpload(client, key, "for update");
    if (upload.state === "cancelled") throw conflictError("The upload was cancelled");
    if (upload.received_bytes < upload.size_bytes)
      throw conflictError(`Of this file, ${upload.received_bytes} of ${upload.size_bytes} bytes are here`);
    if (upload.state !== "receiving") return toUpload(upload, settings.uploadKeptDays);
    const { rows: pieces } = await client.query<{ sha256: Buffer }>(
      `select sha256 from upload_pieces where organization_id = $1 and upload_id = $2 order by byte_offset`,
      [key.organizationId, key.uploadId],
    );
    const found = sha256(Buffer.concat(pieces.map((piece) => piece.sha256))).toString("hex");
    if (found !== wanted.toLowerCase())
      throw conflictError(
        "What was received is not this file: parts of another one are among it. Cancel this upload, and send the file again",
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
