import { lazy } from "react";
import type { ConsoleFeature } from "../../core/features.js";
import { lazyPage } from "../../core/ui/lazy-page.js";
import { IconChartBar } from "../../core/ui/icons.js";

export const overview: ConsoleFeature = {
  name: "overview",
  routes: [{ path: "/", page: lazyPage(() => import("./overview-page.js")) }],
  navigation: [{ to: "/", label: "Overview", icon: IconChartBar, group: "start", order: 10 }],
  slots: {
    apiKeyPanels: lazy(() => import("./usage.js")),
    firstSteps: lazy(() => import("./first-steps.js")),
  },
};
