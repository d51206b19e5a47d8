import { maxPieceRequestBytes, uploadPieceBytes } from "@gatehouse-parking/contract";
import type { Upload } from "@gatehouse-parking/contract/console";
import { request } from "../../core/api/client.js";
import { Refused, Unreachable } from "../../core/api/errors.js";

interface SendOptions {
  organizationUuid: string;
  upload: Pick<Upload, "uuid" | "receivedBytes">;
  file: File;
  onProgress: (sentBytes: number) => void;
  /** Whether the connection is lost and the request is being retried. */
  onWait: (isWaiting: boolean) => void;
  signal: AbortSignal;
}

const firstWaitMs = 1_000;
const longestWaitMs = 5_000;

/**
 * Sends the missing part of a file, then has it verified. Retries while the connection is lost and throws other
 * errors. It can be called again to resume.
 */
export async function sendFile(options: SendOptions): Promise<Upload> {
  const { organizationUuid, upload, file, onProgress, signal } = options;
  const parameters = { organizationUuid, uploadUuid: upload.uuid };
  let offset = upload.receivedBytes;
  onProgress(offset);
  while (offset < file.size) {
    const bytes = file.slice(offset, offset + maxPieceRequestBytes);
    offset = await retryWhileUnavailable(options, () =>
      request("sendUploadPiece", { parameters, query: { offset }, bytes, signal }).then(
        ({ receivedBytes }) => receivedBytes,
        (error: unknown) => placeAfter(error, () => request("getUpload", { parameters, signal })),
      ),
    );
    onProgress(offset);
  }
  const sha256 = await fingerprint(file);
  return retryWhileUnavailable(options, () =>
    request("completeUpload", { parameters, body: { sha256 }, signal }),
  );
}

/** The offset to continue from if the file was also sent from another page. */
async function placeAfter(error: unknown, ask: () => Promise<Upload>): Promise<number> {
  if (!(error instanceof Refused) || error.status !== 409) throw error;
  const upload = await ask();
  if (upload.state !== "receiving") throw error;
  return upload.receivedBytes;
}

async function retryWhileUnavailable<T>(
  { onWait, signal }: SendOptions,
  attempt: () => Promise<T>,
): Promise<T> {
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
    try {
      const answer = await attempt();
      onWait(false);
      return answer;
    } catch (error) {
      if (!isTemporary(error) || signal.aborted) throw error;
      onWait(true);
      await pause(waitMs, signal);
    }
  }
}

function isTemporary(error: unknown): boolean {
  return (
    error instanceof Unreachable ||
    (error instanceof Refused && (error.status === 429 || error.status === 503))
  );
}

function pause(waitMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, waitMs);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
}

const digestBytes = 32;

/** The service verifies this: the hex digest of the digests of all pieces. */
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
