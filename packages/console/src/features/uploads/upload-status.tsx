import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { Alert, Badge, Progress } from "@mantine/core";
import type { Upload, UploadDetail } from "@gatehouse-parking/contract/console";
import { useApi } from "../../core/api/queries.js";
import { Counters } from "../../core/ui/facts.js";
import styles from "./uploads.module.css";
import { texts } from "./texts.js";

const activeRefreshMs = 1_500;
/** Another user may continue a waiting upload. */
const idleRefreshMs = 10_000;

/** Polls an upload as long as it can change. */
export function useUpload(uploadUuid: string, { enabled = true } = {}) {
  const client = useQueryClient();
  const parameters = { uploadUuid };
  const upload = useApi("getUpload", { parameters, enabled });
  const everyMs = upload.data && isInProgress(upload.data) ? activeRefreshMs : idleRefreshMs;
  const isOver = upload.data !== undefined && !upload.data.actions.some((action) => action !== "remove");
  const { refetch } = upload;
  useEffect(() => {
    if (isOver || !enabled) return undefined;
    const timer = setInterval(() => void refetch(), everyMs);
    return () => clearInterval(timer);
  }, [isOver, everyMs, enabled, refetch]);
  const { runCount = 0, failed = 0, conflicts = 0, undone } = upload.data ?? {};
  const undoneRuns = undone?.runs ?? 0;
  const seen = useRef("");
  useEffect(() => {
    const counts = `${runCount} ${failed} ${conflicts} ${undoneRuns}`;
    if (seen.current === counts) return;
    seen.current = counts;
    for (const list of ["listUploadRuns", "listUploadFailures"])
      void client.invalidateQueries({ queryKey: [list] });
  }, [client, runCount, failed, conflicts, undoneRuns]);
  return upload;
}

/** Queries to refresh when an upload changes. */
export const uploadQueries = [
  "getUpload",
  "listUploads",
  "listUploadRuns",
  "listUploadFailures",
  "listRuns",
] as const;

/** The progress of a check, import or undo, with its counts. */
export function UploadStatus({ upload }: { upload: UploadDetail }) {
  const { pass, state, rows, totalRows, secondsLeft, waitsFor, progress, problem } = upload;
  const isCheck = pass === "check";
  const isCounting = state === "working" && totalRows === null;
  const percent = state === "finished" ? 100 : Math.min(99, Math.floor(progress * 100));

  return (
    <>
      {problem ? (
        <Alert color="red" p="sm" role="alert" title={texts.progress.stopped}>
          {problem}
        </Alert>
      ) : null}
      {pass === null ? null : (
        <>
          <div>
            <Progress
              value={percent}
              animated={isInProgress(upload)}
              color={state === "stopped" ? "red" : "harbour"}
              size="lg"
              aria-label={texts.progress.percent(percent, texts.progress.passDone[pass])}
            />
            <output className={styles.numbers}>
              <span>{uploadStatusText(upload)}</span>
              <span>{isCounting ? texts.progress.countingRows : texts.progress.rows(rows, totalRows)}</span>
              {secondsLeft === null ? null : <span>{texts.progress.timeLeft(secondsLeft)}</span>}
            </output>
            {waitsFor === null ? null : <p className={styles.wait}>{texts.progress.waits[waitsFor]}</p>}
          </div>
          <Counters
            items={[
              {
                label: isCheck ? texts.progress.wouldBeCreated : texts.columns.created,
                value: upload.created,
                color: "created",
              },
              {
                label: isCheck ? texts.progress.alreadyStored : texts.progress.skipped,
                value: upload.skipped - upload.conflicts,
                color: "skipped",
              },
              ...(upload.conflicts === 0
                ? []
                : [{ label: texts.progress.conflicts, value: upload.conflicts, color: "skipped" as const }]),
              {
                label: isCheck ? texts.progress.wouldFail : texts.columns.failed,
                value: upload.failed,
                color: "failed",
              },
              ...[
                { label: texts.progress.leftOut, value: upload.leftOut },
                { label: texts.progress.setAside, value: upload.setAside },
              ].filter(({ value }) => value > 0),
            ]}
          />
        </>
      )}
    </>
  );
}

const statusColors: Readonly<Record<Upload["state"], string>> = {
  receiving: "gray",
  received: "gray",
  waiting: "harbour",
  working: "harbour",
  paused: "yellow",
  finished: "teal",
  stopped: "red",
  cancelled: "gray",
};

function uploadStatusText({ state, pass }: Pick<Upload, "state" | "pass">): string {
  return texts.statuses[state][pass ?? "import"];
}

export function UploadStatusBadge({ upload }: { upload: Pick<Upload, "state" | "pass"> }) {
  const isUndone = upload.pass === "undo" && upload.state === "finished";
  return <Badge color={isUndone ? "gray" : statusColors[upload.state]}>{uploadStatusText(upload)}</Badge>;
}

/** Whether its state changes without user action. */
export function isInProgress({ state }: Pick<Upload, "state">): boolean {
  return state === "waiting" || state === "working" || state === "receiving";
}
