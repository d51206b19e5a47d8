import { lazy } from "react";
import type { ConsoleFeature } from "../../core/features.js";
import { SearchBox } from "../../core/ui/search-box.js";

function SearchEverywhereBox() {
  return (
    <SearchBox
      label="Search in all organizations"
      placeholder="Search by request ID, referenceUuid, key prefix or organization"
    />
  );
}

export const installation: ConsoleFeature = {
  name: "installation",
  operatorRoutes: [
    { path: "/", page: lazy(() => import("./installation-page.js")) },
    { path: "/search", page: lazy(() => import("./search-everywhere-page.js")) },
  ],
  slots: { operatorHeader: SearchEverywhereBox },
};
