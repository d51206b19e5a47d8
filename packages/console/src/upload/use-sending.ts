import { batchLimits, cutIntoBatches, type Batch } from "@gatehouse-parking/client/batches";
import type { Prepared } from "@gatehouse-parking/record-files";
import type { ImportResourceName } from "@gatehouse-parking/contract";
import { useWindowEvent } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { reportConnection } from "../api/connection.js";
import { isSignedOut, Unreachable } from "../api/failure.js";
import { useOrganization } from "../session/organization.js";
import { endSession, sessionKey } from "../session/session.js";
import { useAskBeforeLeaving } from "../shell/leave-guard.js";
import { emptyTally, sendBatches, type SendOptions, type Tally } from "./send-batches.js";

export type SendingState = "idle" | "running" | "cancelled" | "interrupted" | "finished";

export interface Sending {
  state: SendingState;
  total: number;
  tally: Tally;
  /** Seconds until the rate limit lets the next batch through; null: not waiting. */
  waitSeconds: number | null;
  error: unknown;
  start: (records: readonly Prepared[], options?: { firstRecord?: number }) => Promise<void>;
  cancel: () => void;
  resume: () => Promise<void>;
  reset: () => void;
}

interface Listeners {
  onProgress?: (recordsDone: number, isFinished: boolean) => void;
  /** The page was left while records were sent, and the batch in flight has ended. */
  onLeft?: (recordsDone: number) => void;
}

/** Why the sending was stopped, where nobody asked for it. */
const pageLeft = "page left";

/** Sending a file batch by batch, with everything a progress bar and its buttons need. */
export function useSending(
  mode: SendOptions["mode"],
  resource: ImportResourceName,
  metadata: string,
  { onProgress, onLeft }: Listeners = {},
): Sending {
  const organization = useOrganization();
  const client = useQueryClient();
  const [state, setState] = useState<SendingState>("idle");
  const [tally, setTally] = useState<Tally>(emptyTally);
  const [waitSeconds, setWaitSeconds] = useState<number | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [total, setTotal] = useState(0);
  const batches = useRef<Batch<Prepared>[]>([]);
  const progress = useRef({ next: 0, tally: emptyTally });
  const stopper = useRef<AbortController | null>(null);
  // Leaving the page stops the sending after the batch in flight.
  useEffect(() => () => stopper.current?.abort(pageLeft), []);
  // So it is asked first, by us or, where the whole page is closed, by the browser. A lost check is soon done again.
  const isImporting = mode === "importBatch" && state === "running";
  useAskBeforeLeaving(isImporting);
  useWindowEvent("beforeunload", (event) => {
    if (isImporting) event.preventDefault();
  });

  async function run(): Promise<void> {
    const controller = new AbortController();
    stopper.current = controller;
    setError(null);
    setState("running");
    try {
      await sendBatches({
        mode,
        organizationUuid: organization.uuid,
        resource,
        metadata,
        batches: batches.current,
        from: progress.current.next,
        tally: progress.current.tally,
        onBatch: (next, sum) => {
          progress.current = { next, tally: sum };
          setTally(sum);
          onProgress?.(sum.done, next === batches.current.length);
        },
        onWait: setWaitSeconds,
        signal: controller.signal,
      });
      setState(progress.current.next === batches.current.length ? "finished" : "cancelled");
    } catch (problem) {
      if (problem instanceof Unreachable) reportConnection(true);
      if (isSignedOut(problem)) client.setQueryData(sessionKey, endSession);
      setError(problem);
      setState("interrupted");
    }
    if (controller.signal.reason === pageLeft) onLeft?.(progress.current.tally.done);
    if (mode === "importBatch") await client.invalidateQueries({ queryKey: ["listRuns"] });
  }

  async function start(records: readonly Prepared[], { firstRecord = 0 } = {}): Promise<void> {
    batches.current = [];
    for await (const batch of cutIntoBatches(
      records.slice(firstRecord),
      batchLimits(resource, metadata),
      (record) => record.text,
    )) {
      batches.current.push(batch);
    }
    progress.current = { next: 0, tally: { ...emptyTally, done: firstRecord } };
    setTally(progress.current.tally);
    setTotal(records.length);
    await run();
  }

  return {
    state,
    total,
    tally,
    waitSeconds,
    error,
    start,
    cancel: () => stopper.current?.abort(),
    resume: run,
    reset: () => {
      stopper.current?.abort();
      setState("idle");
      setTally(emptyTally);
      setError(null);
    },
  };
}
