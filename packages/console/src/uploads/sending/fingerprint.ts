import { uploadPieceBytes } from "@gatehouse-parking/contract";

const digestBytes = 32;

/** What the service compares a file with: the digest of the digests of its pieces, in hexadecimal digits. */
export async function fingerprint(file: Blob): Promise<string> {
  const digests = new Uint8Array(Math.ceil(file.size / uploadPieceBytes) * digestBytes);
  for (let piece = 0; piece * uploadPieceBytes < file.size; piece += 1) {
    const start = piece * uploadPieceBytes;
    const bytes = await file.slice(start, start + uploadPieceBytes).arrayBuffer();
    digests.set(await digest(bytes), piece * digestBytes);
  }
  return Array.from(await digest(digests.buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function digest(bytes: ArrayBuffer): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}
