import { lazy } from "react";
import type { ConsoleFeature } from "../../core/features.js";
import { SearchBox } from "../../core/ui/search-box.js";

const Home = lazy(() => import("./operator-page.js").then((module) => ({ default: module.Home })));
const SearchEverywhere = lazy(() =>
  import("./operator-page.js").then((module) => ({ default: module.SearchEverywhere })),
);

function SearchEverywhereBox() {
  return (
    <SearchBox
      label="Search in all organizations"
      placeholder="Search by request id, referenceUuid, key prefix or organization"
    />
  );
}

export const installation: ConsoleFeature = {
  name: "installation",
  operatorRoutes: [
    { path: "/", page: Home },
    { path: "/search", page: SearchEverywhere },
  ],
  slots: { operatorHeader: SearchEverywhereBox },
};
