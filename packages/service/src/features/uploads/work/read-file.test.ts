import { expect, test } from "vitest";
import { maxUnpackedBytes } from "../limits.js";
import { limited } from "./file-bytes.js";
import { UploadLost } from "./progress.js";
import { ReadingPace } from "./reading-pace.js";
import { UnreadableFile } from "./open-file.js";

const pace = new ReadingPace(Infinity);

async function* chunks(bytes: number): AsyncGenerator<Uint8Array> {
  const chunk = new Uint8Array(64 * 1024 * 1024);
  for (let left = bytes; left > 0; left -= chunk.length) yield chunk.subarray(0, left);
}

async function bytesOf(source: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0;
  for await (const chunk of source) bytes += chunk.length;
  return bytes;
}

test("a file that unpacks to more than the limit is refused as soon as it does", async () => {
  const { signal } = new AbortController();
  expect(await bytesOf(limited(chunks(maxUnpackedBytes), signal, pace))).toBe(maxUnpackedBytes);
  await expect(bytesOf(limited(chunks(maxUnpackedBytes + 1), signal, pace))).rejects.toThrow(UnreadableFile);
});

test("unpacking ends when the upload is not one's own any more", async () => {
  const lost = new AbortController();
  const unpacked = limited(chunks(maxUnpackedBytes), lost.signal, pace);
  expect((await unpacked.next()).done).toBe(false);
  lost.abort(new UploadLost());
  await expect(unpacked.next()).rejects.toThrow(UploadLost);
});
