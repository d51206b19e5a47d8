import { uploadPieceBytes } from "@gatehouse-parking/contract";
import { InputError } from "@gatehouse-parking/record-files";
import type pg from "pg";
import { YieldBudget } from "../../scheduling/yield-budget.js";
import { maxUnpackedBytes } from "../limits.js";
import type { UploadKey } from "../upload-row.js";

/** What is made into rows before others get a turn. */
const sliceBytes = 64 * 1024;

/** The bytes of an uploaded file, piece by piece, unless the signal is given; `onRead` is told how far it has come. */
export async function* fileBytes(
  pool: pg.Pool,
  { organizationId, uploadId, size, signal }: UploadKey & { size: number; signal: AbortSignal },
  onRead: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  const budget = new YieldBudget();
  for (let offset = 0; offset < size; offset += uploadPieceBytes) {
    const { rows } = await pool.query<{ content: Buffer }>(
      "select content from upload_pieces where organization_id = $1 and upload_id = $2 and byte_offset = $3",
      [organizationId, uploadId, offset],
    );
    // Somebody has cancelled it meanwhile, and found nobody at work.
    if (!rows[0]) throw new InputError(1, "the file is not kept any more");
    const { content } = rows[0];
    for (let at = 0; at < content.length; at += sliceBytes) {
      signal.throwIfAborted();
      onRead(offset + at);
      yield content.subarray(at, at + sliceBytes);
      if (budget.isSpent) await budget.giveWay();
    }
  }
  onRead(size);
}

/** A small archive can unpack to anything. */
export async function* limited(
  chunks: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    bytes += chunk.length;
    if (bytes > maxUnpackedBytes)
      throw new InputError(1, "the file unpacks to more than 4 GB; cut it into several files");
    yield chunk;
  }
}
