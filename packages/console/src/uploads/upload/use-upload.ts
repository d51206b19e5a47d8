import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useApi } from "../../api/queries.js";
import { isMoving } from "./upload-looks.js";

const lookAgainMs = 1_500;
/** What waits for a person may be set going by another one. */
const lookSeldomMs = 10_000;

/** One upload, read again as long as it can change. */
export function useUpload(uploadUuid: string, { enabled = true } = {}) {
  const client = useQueryClient();
  const parameters = { uploadUuid };
  const upload = useApi("getUpload", { parameters, enabled });
  const everyMs = upload.data && isMoving(upload.data) ? lookAgainMs : lookSeldomMs;
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
