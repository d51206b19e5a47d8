import type { ConsoleFeature } from "../../core/features.js";
import { lazyPage } from "../../core/ui/lazy-page.js";
import { Suggestions } from "./suggestions.js";

export const search: ConsoleFeature = {
  name: "search",
  routes: [{ path: "/search", page: lazyPage(() => import("./search-page.js")) }],
  slots: { searchResults: Suggestions },
};
