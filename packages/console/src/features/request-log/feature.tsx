import { lazy } from "react";
import { Link } from "wouter";
import type { ConsoleFeature } from "../../core/features.js";
import { lazyPage } from "../../core/ui/lazy-page.js";
import { IconTerminal2 } from "../../core/ui/icons.js";

function RequestLink({ requestId }: { requestId: string }) {
  return <Link href={`/requests?requestId=${encodeURIComponent(requestId)}`}>Show in the request log</Link>;
}

export const requestLog: ConsoleFeature = {
  name: "request-log",
  routes: [
    { path: "/requests", page: lazyPage(() => import("./requests-page.js")) },
    { path: "/requests/:requestUuid", page: lazyPage(() => import("./request-page.js")) },
  ],
  navigation: [{ to: "/requests", label: "Requests", icon: IconTerminal2, group: "start", order: 30 }],
  slots: { apiKeyPanels: lazy(() => import("./api-key-requests.js")), requestLink: RequestLink },
};
