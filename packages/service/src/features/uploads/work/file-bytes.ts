import { uploadPieceBytes } from "@gatehouse-parking/contract";
import { sizeText, type ReadScheduler } from "@gatehouse-parking/record-files";
import type pg from "pg";
import { maxUnpackedBytes } from "../limits.js";
import type { UploadKey } from "../upload-row.js";
import { UnreadableFile } from "./open-file.js";

/** The size of the pieces between which reading gives way to other work. */
const sliceBytes = 64 * 1024;

interface StoredFile extends UploadKey {
  size: number;
  /** Reading ends when it is aborted. */
  signal: AbortSignal;
  pace: ReadScheduler;
}

/** The bytes of an uploaded file, piece by piece. `onRead` gets the number of bytes that were read. */
export async function* fileBytes(
  pool: pg.Pool,
  { organizationId, uploadId, size, signal, pace }: StoredFile,
  onRead: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  for (let offset = 0; offset < size; offset += uploadPieceBytes) {
    const { rows } = await pace.wait(
      pool.query<{ content: Buffer }>(
        "select content from upload_pieces where organization_id = $1 and upload_id = $2 and byte_offset = $3",
        [organizationId, uploadId, offset],
      ),
    );
    // Somebody has cancelled it meanwhile, and found nobody at work.
    if (!rows[0]) throw new UnreadableFile("The file is no longer stored; upload it again");
    const { content } = rows[0];
    for (let at = 0; at < content.length; at += sliceBytes) {
      signal.throwIfAborted();
      onRead(offset + at);
      yield content.subarray(at, at + sliceBytes);
      if (pace.isSpent) await pace.giveWay();
    }
  }
  onRead(size);
}

/** A small archive can unpack to any size. */
export async function* limited(
  chunks: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
  pace: ReadScheduler,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    bytes += chunk.length;
    if (bytes > maxUnpackedBytes)
      throw new UnreadableFile(
        `The file unpacks to more than ${sizeText(maxUnpackedBytes)}; cut it into several files`,
      );
    yield chunk;
    if (pace.isSpent) await pace.giveWay();
  }
}
