import { lazy } from "react";
import type { ConsoleFeature } from "../../core/features.js";

export const savedViews: ConsoleFeature = {
  name: "saved-views",
  slots: { listViews: lazy(() => import("./saved-views.js")) },
};
