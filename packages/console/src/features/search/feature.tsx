import { lazy } from "react";
import type { ConsoleFeature } from "../../core/features.js";
import { Suggestions } from "./suggestions.js";

export const search: ConsoleFeature = {
  name: "search",
  routes: [{ path: "/search", page: lazy(() => import("./search-page.js")) }],
  slots: { searchResults: Suggestions },
};
