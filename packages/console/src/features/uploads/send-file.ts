import { type ImportResourceName, maxPieceRequestBytes, uploadPieceBytes } from "@gatehouse-parking/contract";
import type { Upload } from "@gatehouse-parking/contract/console";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { request } from "../../core/api/client.js";
import { isSignedOut, Refused, Unreachable } from "../../core/api/errors.js";
import { IdempotentChange } from "../../core/api/queries.js";
import { endSession, sessionKey, useOrganization } from "../../core/session/session.js";
import type { MappingContent } from "./mapping/mapping-choices.js";

export interface Sending {
  state: "idle" | "sending" | "failed";
  sentBytes: number;
  isWaiting: boolean;
  error: unknown;
  /** Creates the upload if necessary and sends what is missing. Undefined: it failed, or the page was left. */
  send: (upload: Upload | undefined) => Promise<Upload | undefined>;
}

/** Sends a file, with the state for a progress bar. */
export function useSendFile(
  file: File,
  resource: ImportResourceName,
  onAnnounced: (upload: Upload) => void,
): Sending {
  const { uuid: organizationUuid } = useOrganization();
  const client = useQueryClient();
  const [announcing] = useState(() => new IdempotentChange());
  const [state, setState] = useState<Sending["state"]>("idle");
  const [sentBytes, setSentBytes] = useState(0);
  const [isWaiting, setWaiting] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const stopper = useRef(new AbortController());
  useEffect(() => {
    stopper.current = new AbortController();
    return () => stopper.current.abort();
  }, []);

  async function announce(): Promise<Upload> {
    const body = { fileName: file.name, size: file.size, resource };
    const token = announcing.tokenFor(body);
    const upload = await request("createUpload", { parameters: { organizationUuid }, body, token });
    onAnnounced(upload);
    return upload;
  }

  async function send(known: Upload | undefined): Promise<Upload | undefined> {
    setState("sending");
    setError(null);
    try {
      const upload = known ?? (await announce());
      const { signal } = stopper.current;
      const received =
        upload.state === "receiving"
          ? await sendFile({
              organizationUuid,
              upload,
              file,
              onProgress: setSentBytes,
              onWait: setWaiting,
              signal,
            })
          : upload;
      setState("idle");
      return received;
    } catch (problem) {
      if (isSignedOut(problem)) client.setQueryData(sessionKey, endSession);
      setError(problem);
      setState("failed");
      return undefined;
    }
  }

  return { state, sentBytes, isWaiting, error, send };
}

/** Keeps the mapping in the browser until the service has the whole file, in case the page is closed. */
const mappingKeyPrefix = "gatehouse-upload ";

export function readRememberedMapping(uploadUuid: string): MappingContent | null {
  return JSON.parse(localStorage.getItem(mappingKeyPrefix + uploadUuid) ?? "null") as MappingContent | null;
}

export function rememberMapping(uploadUuid: string, mapping: MappingContent): void {
  localStorage.setItem(mappingKeyPrefix + uploadUuid, JSON.stringify(mapping));
}

export function forgetMapping(uploadUuid: string): void {
  localStorage.removeItem(mappingKeyPrefix + uploadUuid);
}

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
async function sendFile(options: SendOptions): Promise<Upload> {
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

/** Retries while the service is busy or cannot be reached. */
export async function retryWhileUnavailable<T>(
  { onWait, signal }: Pick<SendOptions, "onWait" | "signal">,
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
