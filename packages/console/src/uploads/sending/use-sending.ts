import type { ImportResourceName } from "@gatehouse-parking/contract";
import type { Upload } from "@gatehouse-parking/contract/console";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { request } from "../../api/client.js";
import { isSignedOut } from "../../api/failure.js";
import { OneChange } from "../../api/one-change.js";
import { useOrganization } from "../../session/organization.js";
import { endSession, sessionKey } from "../../session/session.js";
import { sendFile } from "./send-file.js";

export interface Sending {
  state: "idle" | "sending" | "failed";
  sentBytes: number;
  isWaiting: boolean;
  error: unknown;
  /** Announces the file if that was not done yet, and sends what is missing. Undefined: it failed, or the page was left. */
  send: (upload: Upload | undefined) => Promise<Upload | undefined>;
}

/** Has a file sent to the service, with everything that a progress bar needs. */
export function useSending(
  file: File,
  resource: ImportResourceName,
  onAnnounced: (upload: Upload) => void,
): Sending {
  const { uuid: organizationUuid } = useOrganization();
  const client = useQueryClient();
  const [announcing] = useState(() => new OneChange());
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
