import { maxPieceRequestBytes } from "@gatehouse-parking/contract";
import type { Upload } from "@gatehouse-parking/contract/console";
import { request } from "../../api/client.js";
import { Refused, Unreachable } from "../../api/failure.js";
import { fingerprint } from "./fingerprint.js";

interface SendOptions {
  organizationUuid: string;
  upload: Pick<Upload, "uuid" | "receivedBytes">;
  file: File;
  onProgress: (sentBytes: number) => void;
  /** Whether the connection is lost at the moment, and it is tried again. */
  onWait: (isWaiting: boolean) => void;
  signal: AbortSignal;
}

const firstWaitMs = 1_000;
const longestWaitMs = 5_000;

/**
 * Sends what the service does not have of a file yet, and then has it compared. A lost connection is waited for; every
 * other refusal is thrown. What was sent so far stays there, so that it can be called again.
 */
export async function sendFile(options: SendOptions): Promise<Upload> {
  const { organizationUuid, upload, file, onProgress, signal } = options;
  const parameters = { organizationUuid, uploadUuid: upload.uuid };
  let offset = upload.receivedBytes;
  onProgress(offset);
  while (offset < file.size) {
    const bytes = file.slice(offset, offset + maxPieceRequestBytes);
    offset = await patiently(options, () =>
      request("sendUploadPiece", { parameters, query: { offset }, bytes, signal }).then(
        ({ receivedBytes }) => receivedBytes,
        (error: unknown) => placeAfter(error, () => request("getUpload", { parameters, signal })),
      ),
    );
    onProgress(offset);
  }
  const sha256 = await fingerprint(file);
  return patiently(options, () => request("completeUpload", { parameters, body: { sha256 }, signal }));
}

/** Where to go on if the service has more or less of the file than was thought: it may have been sent from another page. */
async function placeAfter(error: unknown, ask: () => Promise<Upload>): Promise<number> {
  if (!(error instanceof Refused) || error.status !== 409) throw error;
  const upload = await ask();
  if (upload.state !== "receiving") throw error;
  return upload.receivedBytes;
}

async function patiently<T>({ onWait, signal }: SendOptions, attempt: () => Promise<T>): Promise<T> {
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
    try {
      const answer = await attempt();
      onWait(false);
      return answer;
    } catch (error) {
      if (!isPassing(error) || signal.aborted) throw error;
      onWait(true);
      await pause(waitMs, signal);
    }
  }
}

/** No answer, or one that says to come again. */
function isPassing(error: unknown): boolean {
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
