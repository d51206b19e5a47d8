import { createHash } from "node:crypto";
import { uploadPieceBytes } from "@gatehouse-parking/contract";
import { expect, test } from "vitest";
import { fingerprint } from "./send-file.js";

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest();

test.each([1, uploadPieceBytes, uploadPieceBytes + 1, 3 * uploadPieceBytes])(
  "the digest of the digests of the pieces, of a file of %i bytes",
  async (size) => {
    const bytes = Uint8Array.from({ length: size }, (_, at) => at % 251);
    const pieces = Array.from({ length: Math.ceil(size / uploadPieceBytes) }, (_, piece) =>
      sha256(bytes.subarray(piece * uploadPieceBytes, (piece + 1) * uploadPieceBytes)),
    );
    expect(await fingerprint(new Blob([bytes]))).toBe(sha256(Buffer.concat(pieces)).toString("hex"));
  },
);
