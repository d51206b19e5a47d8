import { open, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import type { ImportRun } from "@gatehouse-parking/contract";

export const receiptsFile = "receipts.ndjson";

/** A response with its receipt: with the service's key set, all that `checkReceipt` needs. */
export interface KeptReceipt {
  receipt: string;
  answer: ImportRun;
}

/**
 * The receipts, one line per response; without receipts no file is created. Lines are only appended, even
 * when a push starts over, because an acknowledgement stays valid.
 */
export interface ReceiptFile {
  /** Resolves when the lines are on disk. */
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

/** A killed process may have left half a line, which must not corrupt the next one. */
async function openAtNewLine(path: string): Promise<FileHandle> {
  const file = await open(path, "a+");
  const { size } = await file.stat();
  const { buffer } = await file.read(Buffer.from("\n"), 0, 1, Math.max(0, size - 1));
  if (buffer.toString() !== "\n") await file.writeFile("\n");
  return file;
}
