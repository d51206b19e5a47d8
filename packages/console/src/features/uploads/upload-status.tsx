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

interface StateTexts {
  color: string;
  /** In the filter of the list. */
  label: string;
  check: string;
  import: string;
  undo: string;
}

const every = (text: string) => ({ check: text, import: text, undo: text });

/** How each state is shown, by what the service does with the file. */
export const uploadStates: Readonly<Record<Upload["state"], StateTexts>> = {
  receiving: { color: "gray", label: "Receiving", ...every("Not sent completely") },
  received: { color: "gray", label: "Received", ...every("Sent") },
  waiting: {
    color: "harbour",
    label: "Waiting",
    check: "Waiting to be checked",
    import: "Waiting to be imported",
    undo: "Waiting to be taken back",
  },
  working: {
    color: "harbour",
    label: "Working",
    check: "Being checked",
    import: "Being imported",
    undo: "Being taken back",
  },
  paused: {
    color: "yellow",
    label: "Paused",
    check: "Check paused",
    import: "Import paused",
    undo: "Taking back paused",
  },
  finished: { color: "teal", label: "Finished", check: "Checked", import: "Imported", undo: "Taken back" },
  stopped: {
    color: "red",
    label: "Stopped",
    check: "Check stopped",
    import: "Import stopped",
    undo: "Taking back stopped",
  },
  cancelled: { color: "gray", label: "Cancelled", ...every("Cancelled"), undo: "Taking back cancelled" },
};

function uploadStateText({ state, pass }: Pick<Upload, "state" | "pass">): string {
  return uploadStates[state][pass ?? "import"];
}

export function UploadStateBadge({ upload }: { upload: Pick<Upload, "state" | "pass"> }) {
  const isTakenBack = upload.pass === "undo" && upload.state === "finished";
  return (
    <Badge color={isTakenBack ? "gray" : uploadStates[upload.state].color}>{uploadStateText(upload)}</Badge>
  );
}

/** Whether its state changes without user action. */
export function isInProgress({ state }: Pick<Upload, "state">): boolean {
  return state === "waiting" || state === "working" || state === "receiving";
}
