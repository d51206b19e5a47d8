import { Alert } from "@mantine/core";
import type { RunDetail, RunResult } from "@gatehouse-parking/contract/console";
import { lazy } from "react";
import type { ConsoleFeature } from "../../core/features.js";
import { pluralize } from "../../core/ui/format.js";
import { Time } from "../../core/ui/time.js";

/** A notice on the page of an import whose records or results were deleted by retention. */
function DeletedNotice({ run }: { run: RunDetail }) {
  const records = run.deleted.reduce((sum, { count }) => sum + count, 0);
  if (records === 0 && run.exceptionsDeletedAt === null) return null;
  return (
    <Alert color="gray" p="sm">
      {records > 0
        ? `${pluralize(records, "record")} that this run had stored ${records === 1 ? "was" : "were"} deleted when the time was over for which the organization keeps records. `
        : null}
      {run.exceptionsDeletedAt === null ? null : (
        <>
          Its skipped and failed records are not kept any more, since <Time value={run.exceptionsDeletedAt} />
          . The counts are.
        </>
      )}
    </Alert>
  );
}

function DeletedResult({ result }: { result: RunResult }) {
  return result.deletedAt ? <span title={result.deletedAt}> deleted since</span> : null;
}

export const retention: ConsoleFeature = {
  name: "retention",
  settingsTabs: [
    { value: "retention", label: "Retention", panel: lazy(() => import("./retention-tab.js")), order: 40 },
    { value: "storage", label: "Storage", panel: lazy(() => import("./storage-tab.js")), order: 50 },
  ],
  slots: { importNotices: DeletedNotice, resultMark: DeletedResult },
};
