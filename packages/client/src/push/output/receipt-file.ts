import { open, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import type { ImportRun } from "@gatehouse-parking/contract";

export const receiptsFile = "receipts.ndjson";

/** An answer and what proves it: with the key set of the service, all that `checkReceipt` needs. */
export interface KeptReceipt {
  receipt: string;
  answer: ImportRun;
}

/**
 * What the service has signed, one line an answer; without receipts there is no file. Lines are only ever added, also by a
 * push that starts over: what was acknowledged once stays acknowledged.
 */
export interface ReceiptFile {
  /** When it resolves, they are on the disk. */
  append(receipts: readonly KeptReceipt[]): Promise<void>;
  close(): Promise<void>;
}

export function receiptFile(folder: string): ReceiptFile {
  let file: FileHandle | undefined;
  return {
    async append(receipts) {
      if (receipts.length === 0) return;
      file ??= await openAtNewLine(join(folder, receiptsFile));
      await file.writeFile(receipts.map((kept) => `${JSON.stringify(kept)}\n`).join(""));
      await file.datasync();
    },
    async close() {
      await file?.close();
    },
  };
}

/** Whoever was killed may have left half a line, which must not spoil the next one. */
async function openAtNewLine(path: string): Promise<FileHandle> {
  const file = await open(path, "a+");
  const { size } = await file.stat();
  const { buffer } = await file.read(Buffer.from("\n"), 0, 1, Math.max(0, size - 1));
  if (buffer.toString() !== "\n") await file.writeFile("\n");
  return file;
}
