import { lazy } from "react";
import type { ConsoleFeature } from "../../core/features.js";
import { SearchBox } from "../../core/ui/search-box.js";
import { texts } from "./texts.js";

function SearchEverywhereBox() {
  return <SearchBox label={texts.search.title} placeholder={texts.search.placeholder} />;
}

export const installation: ConsoleFeature = {
  name: "installation",
  operatorRoutes: [
    { path: "/", page: lazy(() => import("./installation-page.js")) },
    { path: "/search", page: lazy(() => import("./search-everywhere-page.js")) },
  ],
  slots: { operatorHeader: SearchEverywhereBox },
};
