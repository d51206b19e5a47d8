import type { RunResult } from "@gatehouse-parking/contract/console";
import { lazy } from "react";
import type { ConsoleFeature } from "../../core/features.js";
import { lazyPage } from "../../core/ui/lazy-page.js";

function DeletedResult({ result }: { result: RunResult }) {
  return result.deletedAt ? <span title={result.deletedAt}> deleted</span> : null;
}

export const retention: ConsoleFeature = {
  name: "retention",
  settingsTabs: [
    {
      value: "retention",
      label: "Retention",
      panel: lazyPage(() => import("./retention-tab.js")),
      order: 40,
    },
    { value: "storage", label: "Storage", panel: lazyPage(() => import("./storage-tab.js")), order: 50 },
  ],
  auditSubjects: { retention: "Retention" },
  slots: { importNotices: lazy(() => import("./deleted-notice.js")), resultMark: DeletedResult },
};
