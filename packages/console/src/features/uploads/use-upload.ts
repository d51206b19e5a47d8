import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useApi } from "../../core/api/queries.js";
import { isInProgress } from "./upload-status.js";

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
