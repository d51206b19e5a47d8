import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { Alert, Badge, Progress } from "@mantine/core";
import type { Upload, UploadDetail } from "@gatehouse-parking/contract/console";
import { useApi } from "../../core/api/queries.js";
import { Counters } from "../../core/ui/facts.js";
import styles from "./uploads.module.css";

const activeRefreshMs = 1_500;
/** Somebody else may continue an upload that waits. */
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
  const { runCount = 0, failed = 0, undone } = upload.data ?? {};
  const undoneRuns = undone?.runs ?? 0;
  const seen = useRef("");
  useEffect(() => {
    const counts = `${runCount} ${failed} ${undoneRuns}`;
    if (seen.current === counts) return;
    seen.current = counts;
    for (const list of ["listUploadRuns", "listUploadFailures"])
      void client.invalidateQueries({ queryKey: [list] });
  }, [client, runCount, failed, undoneRuns]);
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

const passDone = { check: "checked", import: "imported", undo: "taken back" };

/** The progress of a check, import or undo, with its counts. */
export function UploadStatus({ upload }: { upload: UploadDetail }) {
  const { pass, state, rows, totalRows, progress, problem } = upload;
  const isCheck = pass === "check";
  const percent = state === "finished" ? 100 : Math.min(99, Math.floor(progress * 100));
  const done = `${rows.toLocaleString("en")}${totalRows === null ? "" : ` of ${totalRows.toLocaleString("en")}`} rows`;
  return (
    <>
      {problem ? (
        <Alert color="red" p="sm" role="alert" title="The service stopped">
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
              aria-label={`${percent} % ${passDone[pass]}`}
            />
            <output className={styles.numbers}>
              <span>{uploadStateText(upload)}</span>
              <span>{done}</span>
            </output>
          </div>
          <Counters
            items={[
              { label: isCheck ? "Would be created" : "Created", value: upload.created, color: "created" },
              {
                label: isCheck ? "Stored already" : "Skipped: stored already",
                value: upload.skipped,
                color: "skipped",
              },
              { label: isCheck ? "Would fail" : "Failed", value: upload.failed, color: "failed" },
            ]}
          />
        </>
      )}
    </>
  );
}

const colors: Readonly<Record<Upload["state"], string>> = {
  receiving: "gray",
  received: "gray",
  waiting: "harbour",
  working: "harbour",
  paused: "yellow",
  finished: "teal",
  stopped: "red",
  cancelled: "gray",
};

function uploadStateText({ state, pass }: Pick<Upload, "state" | "pass">): string {
  if (pass === "undo") return undoTexts[state];
  const isCheck = pass === "check";
  switch (state) {
    case "receiving":
      return "Not sent completely";
    case "received":
      return "Sent";
    case "waiting":
      return isCheck ? "Waiting to be checked" : "Waiting to be imported";
    case "working":
      return isCheck ? "Being checked" : "Being imported";
    case "paused":
      return isCheck ? "Check paused" : "Import paused";
    case "finished":
      return isCheck ? "Checked" : "Imported";
    case "stopped":
      return isCheck ? "Check stopped" : "Import stopped";
    case "cancelled":
      return "Cancelled";
  }
}

const undoTexts: Readonly<Record<Upload["state"], string>> = {
  receiving: "Not sent completely",
  received: "Sent",
  waiting: "Waiting to be taken back",
  working: "Being taken back",
  paused: "Taking back paused",
  finished: "Taken back",
  stopped: "Taking back stopped",
  cancelled: "Taking back cancelled",
};

export function UploadStateBadge({ upload }: { upload: Pick<Upload, "state" | "pass"> }) {
  const isTakenBack = upload.pass === "undo" && upload.state === "finished";
  return <Badge color={isTakenBack ? "gray" : colors[upload.state]}>{uploadStateText(upload)}</Badge>;
}

/** Whether its state changes without user action. */
export function isInProgress({ state }: Pick<Upload, "state">): boolean {
  return state === "waiting" || state === "working" || state === "receiving";
}
