import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import type { UploadSource } from "../../uploads.js";

export interface OpenFile extends UploadSource {
  close(): Promise<void>;
}

/** A file that is read piece by piece. */
export async function openUploadSource(path: string): Promise<OpenFile> {
  const file = await open(path);
  const { size } = await file.stat();
  return {
    size,
    slice: (start, end) => ({
      async arrayBuffer() {
        const bytes = new Uint8Array(end - start);
        for (let length = 0; length < bytes.length;) {
          const { bytesRead } = await file.read(bytes, length, bytes.length - length, start + length);
          if (bytesRead === 0) throw new Error(`${path} became shorter while it was being read`);
          length += bytesRead;
        }
        return bytes.buffer;
      },
    }),
    close: () => file.close(),
  };
}

const chunkBytes = 4 * 1024 * 1024;

/** Names the upload of this file, so that the same command finds it again. `facts` is what else makes it another upload. */
export async function referenceOf(source: UploadSource, facts: object): Promise<string> {
  const hash = createHash("sha256").update(JSON.stringify(facts));
  for (let start = 0; start < source.size; start += chunkBytes) {
    const end = Math.min(start + chunkBytes, source.size);
    hash.update(new Uint8Array(await source.slice(start, end).arrayBuffer()));
  }
  return `gatehouse-push ${hash.digest("hex")}`;
}
