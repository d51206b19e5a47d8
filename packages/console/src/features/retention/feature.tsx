import { Alert } from "@mantine/core";
import type { RunDetail, RunResult } from "@gatehouse-parking/contract/console";
import { lazy } from "react";
import type { ConsoleFeature } from "../../core/features.js";

import { Time } from "../../core/ui/time.js";
import { texts } from "./texts.js";

/** A notice on the page of an import whose records or results were deleted by retention. */
function DeletedNotice({ run }: { run: RunDetail }) {
  const records = run.deleted.reduce((sum, { count }) => sum + count, 0);
  if (records === 0 && run.exceptionsDeletedAt === null) return null;
  return (
    <Alert color="gray" p="sm">
      {records > 0 ? texts.import.recordsDeleted(records) : null}
      {run.exceptionsDeletedAt === null
        ? null
        : texts.import.exceptionsDeleted(<Time value={run.exceptionsDeletedAt} />)}
    </Alert>
  );
}

function DeletedResult({ result }: { result: RunResult }) {
  return result.deletedAt ? <span title={result.deletedAt}> {texts.import.deleted}</span> : null;
}

export const retention: ConsoleFeature = {
  name: "retention",
  settingsTabs: [
    {
      value: "retention",
      label: texts.tabs.retention,
      panel: lazy(() => import("./retention-tab.js")),
      order: 40,
    },
    { value: "storage", label: texts.tabs.storage, panel: lazy(() => import("./storage-tab.js")), order: 50 },
  ],
  slots: { importNotices: DeletedNotice, resultMark: DeletedResult },
};
