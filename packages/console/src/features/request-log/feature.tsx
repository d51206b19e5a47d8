import { lazy } from "react";
import type { ConsoleFeature } from "../../core/features.js";
import { IconTerminal2 } from "../../core/ui/icons.js";

export const requestLog: ConsoleFeature = {
  name: "request-log",
  routes: [
    { path: "/requests", page: lazy(() => import("./requests-page.js")) },
    { path: "/requests/:requestUuid", page: lazy(() => import("./request-page.js")) },
  ],
  navigation: [{ to: "/requests", label: "Requests", icon: IconTerminal2, group: "start", order: 30 }],
  slots: { apiKeyPanels: lazy(() => import("./api-key-requests.js")) },
};
