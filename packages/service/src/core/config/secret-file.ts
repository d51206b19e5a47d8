import { closeSync, openSync, readSync } from "node:fs";

/** More than any secret of ours needs; whoever names a larger file has named the wrong one. */
const maxSecretFileBytes = 64 * 1024;

/** The secret in a file, as Docker and Kubernetes mount it. Editors end a file with a newline, which is no part of it. */
export function readSecretFile(file: string): string {
  const bytes = readBounded(file);
  if (bytes.length > maxSecretFileBytes)
    throw new Error(`names ${file}, which is larger than any secret (${maxSecretFileBytes} bytes)`);
  const text = bytes.toString("utf8").replace(/\r?\n$/, "");
  if (text.trim() === "") throw new Error(`names ${file}, which is empty`);
  return text;
}

/** What is mounted need not be an ordinary file, so its size is known only when it has been read. */
function readBounded(file: string): Buffer {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, "r");
    const buffer = Buffer.alloc(maxSecretFileBytes + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < buffer.length; length += read)
      read = readSync(descriptor, buffer, length, buffer.length - length, null);
    return buffer.subarray(0, length);
  } catch (error) {
    throw new Error(`names ${file}, which cannot be read: ${(error as Error).message}`, { cause: error });
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
