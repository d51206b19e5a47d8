import type { ImportResourceName } from "@gatehouse-parking/contract";
import type { Upload } from "@gatehouse-parking/contract/console";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { request } from "../../core/api/client.js";
import { isSignedOut } from "../../core/api/errors.js";
import { IdempotentChange } from "../../core/api/idempotent-change.js";
import { endSession, sessionKey, useOrganization } from "../../core/session/session.js";
import type { MappingContent } from "./mapping/mapping-choices.js";
import { sendFile } from "./send-file.js";

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
